import { TextDecoder } from "node:util";
import { piecesOf } from "../../outgoing.ts";
import { quotable } from "../../outside-error.ts";
import { ERP_BOUNDS } from "../bounds.ts";
import { BoundedJson } from "./bounded-json.ts";
import { notTheErp, unusable } from "./errors.ts";

const MAX_ERROR_BYTES = 64 * 1024;

const LIMITS = {
  values: ERP_BOUNDS.valuesOfAnswer,
  valuesOfItem: ERP_BOUNDS.valuesOfItem,
  items: ERP_BOUNDS.itemsOfAnswer,
  depth: ERP_BOUNDS.depthOfAnswer,
} as const;

/** Reads a successful answer of up to `maxBytes`, throwing for more; of an error answer, as much as a log can use. */
export async function readFusionBody(response: Response, maxBytes: number) {
  const json = new BoundedJson(LIMITS);
  if (response.body === null) return json;
  const limit = response.ok ? maxBytes : MAX_ERROR_BYTES;
  const decoder = new TextDecoder("utf-8", { fatal: response.ok });
  let size = 0;
  for await (const chunk of piecesOf(response)) {
    size += chunk.byteLength;
    if (size > limit) {
      if (response.ok) throw unusable(`it is larger than ${limit} bytes`);
      return json;
    }
    const piece = decoded(decoder, chunk);
    if (response.ok) json.take(piece);
    else json.text += piece;
  }
  json.text += decoded(decoder);
  return json;
}

function decoded(decoder: TextDecoder, chunk?: Uint8Array) {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw notTheErp("bytes that are not UTF-8 text");
  }
}

/** Longer than most pages are. What a text becomes takes several times its room. */
const LONG_TEXT = 1024 * 1024;

let lastLong: Promise<void> = Promise.resolve();
const done = (): void => undefined;

/** Long texts are parsed one at a time in a process: as many at once as there are pulls would fill its memory. */
function afterOthers<T>(parse: () => Promise<T>) {
  const own = lastLong.then(parse, parse);
  // What was parsed is not held on to.
  lastLong = own.then(done, done);
  return own;
}

/** Parses a success, in turns; each number becomes the string of its digits. */
export async function parsedBody(json: BoundedJson) {
  const parse = () => json.parse();
  try {
    return await (json.text.length > LONG_TEXT ? afterOthers(parse) : parse());
  } catch {
    throw notTheErp("text that is not JSON", quotable(json.text.slice(0, 100)));
  }
}
