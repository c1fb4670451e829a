import { asIs, parserOf } from "./types.ts";

/** What a message of PostgreSQL's protocol begins with: one byte for its kind, four for its length with themselves. */
const HEADER_BYTES = 5;
const KIND_BYTES = 1;
const ROW_DESCRIPTION = "T".charCodeAt(0);
const DATA_ROW = "D".charCodeAt(0);
/** Of a column, what stands between its name and its type, and between its type and the next column. */
const COLUMN_ORIGIN_BYTES = 6;
const COLUMN_FORMAT_BYTES = 8;

/** Values of a longer row are read one by one: what is cut out of one text keeps all of it in memory. */
const LONGEST_WHOLE = 4_096;

/** The columns of an answer, as `pg` names what it knows of them. */
export interface RowShape {
  readonly fields: readonly Field[];
  /** The row of one set of values. Throws where a value cannot be read. */
  readonly rowOf: (values: RowValues) => object;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The values of a row as text, in the order of its columns; null for SQL's. */
export type RowValues = readonly (string | null)[];

export interface RowListener {
  shape(shape: RowShape): void;
  row(values: RowValues): void;
  /** Whole messages of all other kinds. */
  others(messages: Buffer): void;
}

/** Takes rows and what describes them out of what a server says, and hands everything on in the order in which it came. */
export class RowReader {
  readonly #listener: RowListener;
  /** A message whose end has still to come. */
  #begun: Buffer | null = null;
  /** The latest description of rows, and what it says: a statement is described anew at each of its answers. */
  #described: { description: Buffer; shape: RowShape } | null = null;

  constructor(listener: RowListener) {
    this.#listener = listener;
  }

  read(chunk: Buffer): void {
    const bytes = this.#begun === null ? chunk : Buffer.concat([this.#begun, chunk]);
    let handedOn = 0;
    let start = 0;
    while (start + HEADER_BYTES <= bytes.length) {
      const end = start + KIND_BYTES + bytes.readUInt32BE(start + KIND_BYTES);
      if (end > bytes.length) break;
      const kind = bytes[start];
      if (kind === DATA_ROW || kind === ROW_DESCRIPTION) {
        if (handedOn < start) this.#listener.others(bytes.subarray(handedOn, start));
        handedOn = end;
        if (kind === DATA_ROW) this.#listener.row(valuesOf(bytes, start + HEADER_BYTES, end));
        else this.#listener.shape(this.#shapeOf(bytes.subarray(start + HEADER_BYTES, end)));
      }
      start = end;
    }
    if (handedOn < start) this.#listener.others(bytes.subarray(handedOn, start));
    this.#begun = start < bytes.length ? bytes.subarray(start) : null;
  }

  #shapeOf(description: Buffer): RowShape {
    if (this.#described?.description.equals(description)) return this.#described.shape;
    const shape = shapeOf(description);
    this.#described = { description: Buffer.from(description), shape };
    return shape;
  }
}

function valuesOf(bytes: Buffer, start: number, end: number): RowValues {
  const values = new Array<string | null>(bytes.readInt16BE(start));
  const whole = end - start > LONGEST_WHOLE ? null : bytes.toString("latin1", start, end);
  let at = start + 2;
  for (let index = 0; index < values.length; index += 1) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length === -1) {
      values[index] = null;
      continue;
    }
    const isPlain = whole !== null && isAscii(bytes, at, at + length);
    values[index] = isPlain ? whole.slice(at - start, at - start + length) : bytes.toString("utf8", at, at + length);
    at += length;
  }
  return values;
}

/** Whether bytes are the same text in Latin 1 as in UTF-8. */
function isAscii(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if ((bytes[at] ?? 0) > 127) return false;
  return true;
}

/** So many shapes are remembered, by all that is said of them. */
const MOST_SHAPES = 1_000;
const shapes = new Map<string, RowShape>();

function shapeOf(bytes: Buffer): RowShape {
  const description = bytes.toString("latin1");
  const known = shapes.get(description);
  if (known !== undefined) return known;
  const fields = fieldsOf(bytes);
  const shape = { fields, rowOf: rowMaker(fields) };
  shapes.set(description, shape);
  const [oldest] = shapes.keys();
  if (shapes.size > MOST_SHAPES && oldest !== undefined) shapes.delete(oldest);
  return shape;
}

/**
 * Makes rows with an object literal of these columns. Written once for each shape it takes a fifth of the time of a loop
 * over names, which all statements would share, so that V8 would look up each name of each row.
 */
function rowMaker(fields: readonly Field[]): RowShape["rowOf"] {
  const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID));
  const columns = fields.map(({ name }, index) => {
    const value = `values[${index}]`;
    const read = parsers[index] === asIs ? value : `${value} === null ? null : parser${index}(${value})`;
    // Written without brackets it would be no column but what the row inherits from.
    return `${name === "__proto__" ? `["${name}"]` : JSON.stringify(name)}: ${read}`;
  });
  const make = new Function(...parsers.map((_, index) => `parser${index}`), `return (values) => ({${columns.join()}})`);
  return make(...parsers);
}

function fieldsOf(bytes: Buffer): readonly Field[] {
  let at = 2;
  return Array.from({ length: bytes.readInt16BE(0) }, () => {
    const end = bytes.indexOf(0, at);
    const name = bytes.toString("utf8", at, end);
    const type = end + 1 + COLUMN_ORIGIN_BYTES;
    at = type + 4 + COLUMN_FORMAT_BYTES;
    return { name, dataTypeID: bytes.readUInt32BE(type) };
  });
}
