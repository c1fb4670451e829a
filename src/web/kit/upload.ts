import express, { type RequestHandler } from "express";

/** Of a form with a file: the file and the other fields. */
const OVERHEAD = 20_000;

/**
 * Reads a form with files (multipart) of at most `maxBytes` into `request.body`: fields as text, files as bytes. To stand behind
 * a check of who sends it. A form of another kind is left to others.
 */
export function uploadedForm(maxBytes: number): RequestHandler[] {
  const raw = express.raw({ type: "multipart/form-data", limit: maxBytes + OVERHEAD });
  const parse: RequestHandler = async (request, _response, next) => {
    const body: unknown = request.body;
    if (!Buffer.isBuffer(body)) return next();
    request.body = await fieldsOf(body, request.headers["content-type"] ?? "");
    next();
  };
  return [raw, parse];
}

/** Node's own parser of what browsers send; a field given twice is left out, and so is everything of a form it cannot read. */
async function fieldsOf(body: Buffer<ArrayBufferLike>, type: string): Promise<Record<string, string | Uint8Array>> {
  const fields = new Map<string, string | Uint8Array>();
  try {
    const form = await new Response(new Uint8Array(body), { headers: { "Content-Type": type } }).formData();
    for (const name of new Set(form.keys())) {
      const [value, ...more] = form.getAll(name);
      if (value === undefined || more.length > 0) continue;
      fields.set(name, typeof value === "string" ? value : new Uint8Array(await value.arrayBuffer()));
    }
  } catch {
    // Without its token the form is refused.
    return {};
  }
  return Object.fromEntries(fields);
}
