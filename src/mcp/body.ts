import type { IncomingMessage } from "node:http";
import { ProtocolError, RPC } from "./protocol-error.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a request body as JSON.
 * @throws ProtocolError 413 beyond `maxBytes`, 400 (-32700) for anything but JSON in UTF-8.
 */
export async function readJson(req: IncomingMessage, maxBytes: number): Promise<unknown> {
  const bytes = await readBytes(req, maxBytes);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ProtocolError(400, "The body is not valid JSON.", { code: RPC.parseError });
  }
}

/** Reads refused bodies to their end too, or the client could not read the response; memory stays within the limit. */
async function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    let isWhole = false;
    const tooLarge = () => reject(new ProtocolError(413, `The body exceeds ${maxBytes} bytes.`));
    const cutOff = () => {
      // Every request closes in the end: creating an error here would cost more than reading the body.
      if (!isWhole) reject(new ProtocolError(400, "The body was cut off.", { code: RPC.parseError }));
    };
    if (Number(req.headers["content-length"] ?? 0) > maxBytes) tooLarge();
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else {
        chunks = [];
        tooLarge();
      }
    });
    req.on("end", () => {
      isWhole = true;
      resolve(Buffer.concat(chunks));
    });
    req.on("error", cutOff);
    req.on("close", cutOff);
  });
}
