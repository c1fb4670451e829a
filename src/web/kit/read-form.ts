import { parse } from "node:querystring";
import type { Request } from "express";
import { readPlainBody, UnreadableBody } from "../../request-body.ts";

/** Of a form with a file: the file and the other fields. */
const OVERHEAD_BYTES = 20_000;
/** No form of ours with a file has as many fields. */
const MOST_PARTS = 16;
const MOST_HEAD_BYTES = 1_024;

/** A part's head as browsers write it (RFC 7578 §4.2). */
const DISPOSITION = /^content-disposition: form-data; name="([^"]*)"(; filename=)?/im;

const FIELDS_BYTES = 16 * 1024;

/**
 * Reads a submitted form into `request.body`. One with a file of at most `maxFileBytes` (multipart) has its fields as
 * text and its files as bytes; bodies of other kinds stay unread. Rejects with an error of `status` 400, 413 or 415 for
 * what cannot be read, or holds a NUL character.
 */
export async function readForm(request: Request, maxFileBytes: number): Promise<void> {
  if (request.is("application/x-www-form-urlencoded"))
    request.body = { ...parse((await readPlainBody(request, FIELDS_BYTES)).toString()) };
  if (maxFileBytes > 0 && request.is("multipart/form-data")) {
    const body = await readPlainBody(request, maxFileBytes + OVERHEAD_BYTES);
    request.body = fieldsOf(partsOf(body, request.get("content-type") ?? ""));
  }
  const values: unknown[] = Object.values(request.body ?? {}).flat();
  // No store takes it, and no browser sends it.
  if (values.some((value) => typeof value === "string" && value.includes("\0"))) throw new UnreadableBody(400);
}

interface Part {
  readonly name: string;
  readonly isFile: boolean;
  readonly content: Buffer;
}

/** Each part once and in order; throws where there are more than {@link MOST_PARTS}. */
function* partsOf(body: Buffer, type: string): Generator<Part> {
  const delimiter = Buffer.from(`\r\n--${/;\s*boundary="?([^";]+)/i.exec(type)?.[1]}`, "latin1");
  // The first one begins the body, without a line break.
  let at = delimiter.length - 2;
  if (!body.subarray(0, at).equals(delimiter.subarray(2))) throw new UnreadableBody(400);
  for (let count = 1; body.toString("latin1", at, at + 2) !== "--"; count += 1) {
    const headBytes = body.subarray(at, at + MOST_HEAD_BYTES).indexOf("\r\n\r\n");
    const [, name, file] = DISPOSITION.exec(body.toString("utf8", at, at + headBytes)) ?? [];
    const start = at + headBytes + 4;
    const end = body.indexOf(delimiter, start);
    if (headBytes === -1 || name === undefined || end === -1 || count > MOST_PARTS) throw new UnreadableBody(400);
    yield { name, isFile: file !== undefined, content: body.subarray(start, end) };
    at = end + delimiter.length;
  }
}

/** A field that is given twice is left out. */
function fieldsOf(parts: Iterable<Part>): Record<string, string | Buffer> {
  const fields = new Map<string, string | Buffer>();
  const twice = new Set<string>();
  for (const { name, isFile, content } of parts) {
    if (fields.has(name)) twice.add(name);
    fields.set(name, isFile ? content : content.toString());
  }
  return Object.fromEntries([...fields].filter(([name]) => !twice.has(name)));
}
