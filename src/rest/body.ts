import type { IncomingMessage } from "node:http";
import { ServiceError } from "../core/gate/error.ts";
import { validationFailed } from "../core/shared/validation.ts";

/** service.md §8. */
export const MAX_BODY_BYTES = 64 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a whole body. One that is too large is refused at once, and its rest is still read, or a client that is sending
 * could not read the response. Throws `payload_too_large`, and `validation_failed` when cut off.
 */
export function readRequestBody(request: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const refuse = (): void => {
      chunks = [];
      reject(new ServiceError("payload_too_large", `The body is over ${maxBytes / 1024} KiB.`));
    };
    const cutOff = (): void => reject(validationFailed([{ field: "body", message: "was cut off" }]));
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) refuse();
    request.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > maxBytes) refuse();
      else chunks.push(chunk);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", cutOff);
    request.once("close", cutOff);
  });
}

/** The members of a JSON object; an empty body has none. Throws `validation_failed`, with status 415 for other types. */
export function readJsonObject(request: IncomingMessage, body: Buffer): Record<string, unknown> {
  if (body.byteLength === 0) return {};
  checkType(request.headers["content-type"] ?? "");
  const encoding = request.headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (encoding !== "identity") throw unsupported("Content-Encoding", "must be absent: bodies are not compressed");
  const value = parse(body);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw validationFailed([{ field: "body", message: "must be a JSON object" }]);
  return { ...value };
}

function checkType(header: string): void {
  const [type, ...parameters] = header.split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  if (type !== "application/json" || (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)))
    throw unsupported("Content-Type", "must be application/json in UTF-8");
}

/** The closed list has no code for the media type, so the HTTP status (415) says it. */
function unsupported(field: string, message: string): ServiceError {
  return new ServiceError("validation_failed", `${field} ${message}.`, {
    details: [{ field, message }],
    httpStatus: 415,
  });
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw validationFailed([{ field: "body", message: "is not valid JSON in UTF-8" }]);
  }
}
