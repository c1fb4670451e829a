import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a whole body. One that is too large is refused at once, and its rest is still read, or a client that is sending
 * could not read the response; memory stays within the limit.
 */
export function readBytes(
  request: IncomingMessage,
  maxBytes: number,
  faults: { tooLarge(): Error; cutOff(): Error },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    let isWhole = false;
    const refuse = (): void => {
      chunks = [];
      reject(faults.tooLarge());
    };
    const cutOff = (): void => {
      // Every request closes in the end: making an error then would cost more than reading the body.
      if (!isWhole) reject(faults.cutOff());
    };
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) refuse();
    request.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > maxBytes) refuse();
      else chunks.push(chunk);
    });
    request.on("end", () => {
      isWhole = true;
      resolve(Buffer.concat(chunks));
    });
    request.on("error", cutOff);
    request.on("close", cutOff);
    // A client that left before, as while its caller was looked up, is not heard closing.
    if (request.destroyed) cutOff();
  });
}

/** Parses JSON. Throws for anything but JSON in UTF-8. */
export function parseJson(bytes: Buffer): unknown {
  return JSON.parse(utf8.decode(bytes));
}

/** Whether the headers say that a body is JSON in UTF-8. */
export function saysJson(headers: IncomingHttpHeaders): boolean {
  const [type, ...parameters] = (headers["content-type"] ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  return type === "application/json" && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

/** Whether the headers say that a body is compressed, which none of ours may be. */
export function saysCompressed(headers: IncomingHttpHeaders): boolean {
  return (headers["content-encoding"]?.toLowerCase() ?? "identity") !== "identity";
}
