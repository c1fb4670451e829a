import type { Request } from "express";
import { readPlainBody, UnreadableBody } from "../../request-body.ts";

/** Of a form with a file: the other fields. */
const OVERHEAD_BYTES = 20_000;
/** No form of ours with a file has as many fields; each says that it is one, and takes a while to be read. */
const MOST_PARTS = 16;

/** A note of a thousand signs of Chinese, with what it said before, is 18,000. */
const FIELDS_BYTES = 24 * 1024;

/**
 * Reads a submitted form into `request.body`. One with a file of at most `maxFileBytes` (multipart) has its fields as
 * text and its files as bytes, and what is given several times as a list; bodies of other kinds stay unread. Rejects
 * with an error of `status` 400, 413 or 415 for what cannot be read, or holds a NUL character.
 */
export async function readForm(request: Request, maxFileBytes: number, mostFields: number) {
  const hasFile = maxFileBytes > 0 && Boolean(request.is("multipart/form-data"));
  if (!hasFile && !request.is("application/x-www-form-urlencoded")) return;
  const body = hasFile
    ? await readPlainBody(request, maxFileBytes + OVERHEAD_BYTES)
    : await readPlainBody(request, FIELDS_BYTES, mostFields);
  const type = request.get("content-type") ?? "";
  if (hasFile && !isOfFewParts(body, type)) throw new UnreadableBody(400);
  const headers = { "content-type": type };
  const form = await new Response(Buffer.from(body), { headers }).formData().catch(() => {
    throw new UnreadableBody(400);
  });
  // One pass: to look each name up in the form would take time by the square of their number.
  const fields = new Map<string, (string | Uint8Array)[]>();
  for (const [name, value] of form) {
    const read = typeof value === "string" ? value : await value.bytes();
    // No store takes it, and no browser sends it.
    if (typeof read === "string" && read.includes("\0")) throw new UnreadableBody(400);
    const earlier = fields.get(name);
    if (earlier === undefined) fields.set(name, [read]);
    else earlier.push(read);
  }
  request.body = Object.fromEntries([...fields].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
}

/** As browsers write the boundary of parts. */
const BOUNDARY = /^multipart\/form-data; ?boundary="?([\w'()+,./:=?-]{1,70})"?$/i;
/** Of what a part says of itself; reading that takes far longer than reading as much of a file. */
const MOST_HEAD_BYTES = 1_024;

/** Whether a form with a file has no more parts than ours, and their heads are as short. */
function isOfFewParts(body: Buffer, type: string) {
  const [, boundary] = BOUNDARY.exec(type) ?? [];
  if (boundary === undefined) return false;
  const delimiter = `--${boundary}`;
  let parts = 0;
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + delimiter.length)) {
    const isEnded = body.subarray(at, at + MOST_HEAD_BYTES).includes("\r\n\r\n");
    const after = at + delimiter.length;
    parts += 1;
    if (parts > MOST_PARTS + 1 || (!isEnded && body.toString("latin1", after, after + 2) !== "--")) return false;
  }
  return true;
}
