import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a whole body. One that is too large is refused at once, and its rest is still read, or a client that is sending
 * could not read the response; memory stays within the limit, in pieces of any size.
 */
export function readBytes(
  request: IncomingMessage,
  maxBytes: number,
  faults: { tooLarge(): Error; cutOff(): Error },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Copied: a piece of one byte takes hundreds while it is kept.
    let bytes = Buffer.alloc(0);
    let size = 0;
    let isWhole = false;
    const refuse = (): void => {
      bytes = Buffer.alloc(0);
      reject(faults.tooLarge());
    };
    const cutOff = (): void => {
      // Every request closes in the end: making an error then would cost more than reading the body.
      if (!isWhole) reject(faults.cutOff());
    };
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) refuse();
    request.on("data", (chunk: Buffer) => {
      const before = size;
      size += chunk.byteLength;
      if (size > maxBytes) return void (before <= maxBytes && refuse());
      if (size > bytes.byteLength) {
        const grown = Buffer.alloc(Math.min(maxBytes, Math.max(size, 2 * bytes.byteLength)));
        bytes.copy(grown, 0, 0, before);
        bytes = grown;
      }
      chunk.copy(bytes, before);
    });
    request.on("end", () => {
      isWhole = true;
      resolve(bytes.subarray(0, size));
    });
    request.on("error", cutOff);
    request.on("close", cutOff);
    // A client that left before, as while its caller was looked up, is not heard closing.
    if (request.destroyed) cutOff();
  });
}

/** Pieces of a body below this size are gathered; more of them in one request than any client sends end it. */
const [SMALL_BYTES, MOST_SMALL] = [64, 4_096];

/**
 * Has small pieces of a body come together, and closes the connection of a request with thousands of them: each would be
 * kept by itself until somebody reads, at hundreds of bytes. To be called before anything else of the request is.
 */
export function gatherPieces(request: IncomingMessage): void {
  const hand = request.push.bind(request);
  let gathered = Buffer.alloc(0);
  let size = 0;
  let small = 0;
  const handOn = (): void => {
    if (size > 0) hand(gathered.subarray(0, size));
    [gathered, size] = [Buffer.alloc(0), 0];
  };
  request.push = (piece: unknown): boolean => {
    if (!Buffer.isBuffer(piece) || piece.byteLength >= SMALL_BYTES) {
      handOn();
      return hand(piece);
    }
    small += 1;
    if (small > MOST_SMALL) return request.socket.destroy() === undefined;
    if (size === 0) process.nextTick(handOn);
    if (size + piece.byteLength > gathered.byteLength) {
      handOn();
      gathered = Buffer.alloc(16 * SMALL_BYTES);
    }
    size += piece.copy(gathered, size);
    return request.readableLength < request.readableHighWaterMark;
  };
}

/** A body that was not read, and the HTTP status that says so. */
export class UnreadableBody extends Error {
  override readonly name = "UnreadableBody";
  readonly status: 400 | 413 | 415;

  constructor(status: UnreadableBody["status"]) {
    super();
    this.status = status;
  }
}

const AMPERSAND = 0x26;

/**
 * Reads a whole body of a page or of OAuth. Rejects with {@link UnreadableBody}: 413 too large, or of more fields than
 * `mostFields`, which cost far more to read than to send; 415 compressed; 400 cut off.
 */
export async function readPlainBody(request: IncomingMessage, maxBytes: number, mostFields = Infinity) {
  if (saysCompressed(request.headers) || !saysUtf8(request.headers)) throw new UnreadableBody(415);
  const body = await readBytes(request, maxBytes, {
    tooLarge: () => new UnreadableBody(413),
    cutOff: () => new UnreadableBody(400),
  });
  let fields = 1;
  for (const byte of body) if (byte === AMPERSAND) fields += 1;
  if (fields > mostFields) throw new UnreadableBody(413);
  return body;
}

/** Parses JSON. Throws for anything but JSON in UTF-8. */
export function parseJson(bytes: Buffer): unknown {
  return JSON.parse(utf8.decode(bytes));
}

/** Whether the headers say that a body is JSON in UTF-8. */
export function saysJson(headers: IncomingHttpHeaders) {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  return type.trim().toLowerCase() === "application/json" && saysUtf8(headers);
}

function saysUtf8(headers: IncomingHttpHeaders) {
  const [, ...parameters] = (headers["content-type"] ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset);
}

/** Whether the headers say that a body is compressed, which none of ours may be. */
export function saysCompressed(headers: IncomingHttpHeaders) {
  return (headers["content-encoding"]?.toLowerCase() ?? "identity") !== "identity";
}
