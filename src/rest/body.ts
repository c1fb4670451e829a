import type { IncomingMessage } from "node:http";
import { ServiceError } from "../core/kernel/error.ts";
import { validationFailed } from "../core/kernel/validation.ts";
import { parseJson, readBytes, saysCompressed, saysJson } from "../request-body.ts";

/** service.md §8. */
const MAX_BODY_BYTES = 64 * 1024;

/** Reads a whole body. Throws `payload_too_large`, and `validation_failed` when cut off. */
export function readRequestBody(request: IncomingMessage, maxBytes = MAX_BODY_BYTES) {
  return readBytes(request, maxBytes, {
    tooLarge: () => new ServiceError("payload_too_large", `The body is over ${maxBytes / 1024} KiB.`),
    cutOff: () => validationFailed([{ field: "body", message: "was cut off" }]),
  });
}

/** The members of a JSON object; an empty body has none. Throws `validation_failed`, with status 415 for other types. */
export function readJsonObject({ headers }: IncomingMessage, body: Buffer): Record<string, unknown> {
  if (body.byteLength === 0) return {};
  if (!saysJson(headers)) throw unsupported("Content-Type", "must be application/json in UTF-8");
  if (saysCompressed(headers)) throw unsupported("Content-Encoding", "must be absent: bodies are not compressed");
  const value = parse(body);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw validationFailed([{ field: "body", message: "must be a JSON object" }]);
  return { ...value };
}

/** The closed list has no code for the media type, so the HTTP status (415) says it. */
function unsupported(field: string, message: string) {
  return new ServiceError("validation_failed", `${field} ${message}.`, {
    details: [{ field, message }],
    httpStatus: 415,
  });
}

function parse(body: Buffer) {
  try {
    return parseJson(body);
  } catch {
    throw validationFailed([{ field: "body", message: "is not valid JSON in UTF-8" }]);
  }
}
