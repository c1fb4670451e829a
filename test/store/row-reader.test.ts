import fc from "fast-check";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RowReader } from "../../src/store/row-reader.ts";
import { STORES, type TestStore } from "../support/stores.ts";

const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
};
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const message = (kind: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body]);
};

/** A message as PostgreSQL's protocol has it (v3, message formats). */
const rowMessage = (values: readonly (string | null)[]): Buffer =>
  message(
    "D",
    int16(values.length),
    ...values.flatMap((value) =>
      value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)],
    ),
  );
const shapeMessage = (fields: readonly { name: string; dataTypeID: number }[]): Buffer =>
  message(
    "T",
    int16(fields.length),
    ...fields.flatMap(({ name, dataTypeID }) => [
      Buffer.from(`${name}\0`),
      int32(16_384),
      int16(1),
      int32(dataTypeID),
      int16(-1),
      int32(-1),
      int16(0),
    ]),
  );

type Said =
  | { row: readonly (string | null)[] }
  | { fields: readonly { name: string; dataTypeID: number }[] }
  | { other: string };

/** What is read of bytes that arrive in pieces, neighbouring messages of other kinds put together. */
function readInPieces(bytes: Buffer, cuts: readonly number[]): Said[] {
  const said: Said[] = [];
  const reader = new RowReader({
    shape: ({ fields }) => said.push({ fields }),
    row: (row) => said.push({ row }),
    others: (messages) => {
      const last = said.at(-1);
      const text = messages.toString("latin1");
      if (last !== undefined && "other" in last) last.other += text;
      else said.push({ other: text });
    },
  });
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  for (const [index, to] of [...places, bytes.length].entries())
    reader.read(bytes.subarray(places[index - 1] ?? 0, to));
  return said;
}

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "binary-ascii", maxLength: 40 }),
  fc.string({ unit: "grapheme", minLength: 3_000, maxLength: 6_000 }),
);
const row = fc.array(fc.option(text), { maxLength: 30 });
const column = fc.record({
  name: fc.stringMatching(/^[a-zé_]{1,20}$/),
  dataTypeID: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
});
const spoken = fc.oneof(
  { weight: 4, arbitrary: row.map((values) => ({ said: { row: values }, bytes: rowMessage(values) })) },
  fc.array(column, { maxLength: 10 }).map((fields) => ({ said: { fields }, bytes: shapeMessage(fields) })),
  fc
    .tuple(fc.constantFrom("C", "Z", "2", "N"), fc.uint8Array({ maxLength: 20 }))
    .map(([kind, body]) => message(kind, Buffer.from(body)))
    .map((bytes) => ({ said: { other: bytes.toString("latin1") }, bytes })),
);

describe("what a PostgreSQL server says", () => {
  it("is read whole and in its order, however it is cut on its way", () => {
    fc.assert(
      fc.property(fc.array(spoken, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 12 }), (messages, cuts) => {
        const expected: Said[] = [];
        for (const { said } of messages) {
          const last = expected.at(-1);
          if ("other" in said && last !== undefined && "other" in last) last.other += said.other;
          else expected.push({ ...said });
        }
        const bytes = Buffer.concat(messages.map((one) => one.bytes));
        expect(readInPieces(bytes, cuts)).toEqual(expected);
      }),
    );
  });

  it("is read a byte at a time as well", () => {
    const bytes = Buffer.concat([
      shapeMessage([{ name: "name", dataTypeID: 25 }]),
      rowMessage(["Zoë & Søn", null, ""]),
      message("C", Buffer.from("SELECT 1\0")),
    ]);
    expect(readInPieces(bytes, [...bytes.keys()])).toEqual([
      { fields: [{ name: "name", dataTypeID: 25 }] },
      { row: ["Zoë & Søn", null, ""] },
      { other: "C\0\0\0\rSELECT 1\0" },
    ]);
  });

  it("is read where pg reads it: its connections still begin to listen in a method of that name", () => {
    expect(Reflect.get(pg.Connection.prototype, "attachListeners")).toBeTypeOf("function");
  });
});

describe.each(STORES)("rows of $name", ({ open }) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.remove());

  it("are of what was asked last, where an answer has none too", async () => {
    const found = await opened.store.system(async (tx) => [
      (await sql`select 1 as a, null as b`.execute(tx)).rows,
      (await sql`select 'Zoë' as b where false`.execute(tx)).rows,
      (await sql`select ${"x".repeat(5_000)}::text as c, true as d, '{1,2}'::int[] as e`.execute(tx)).rows,
    ]);
    expect(found).toEqual([[{ a: 1, b: null }], [], [{ c: "x".repeat(5_000), d: true, e: [1, 2] }]]);
  });

  it("have columns of any name", async () => {
    const names = ["__proto__", "constructor", 'a"b', "a'b", "a\\", "a\nb", "]: f(", "`a`", "é\u2028"];
    const columns = names.map((name, index) => sql`${sql.lit(index)} as ${sql.ref(name)}`);
    const [row] = (await opened.store.system((tx) => sql<object>`select ${sql.join(columns)}`.execute(tx))).rows;
    expect(Object.entries(row ?? {})).toEqual(names.map((name, index) => [name, index]));
  });

  it("with a value that nothing can be made of fail their statement, and nothing after it", async () => {
    const asked = opened.store.system((tx) => sql`select 'infinity'::timestamptz as at`.execute(tx));
    await expect(asked).rejects.toThrow(RangeError);
    const next = await opened.store.system((tx) => sql`select '2026-03-01 09:00+00'::timestamptz as at`.execute(tx));
    expect(next.rows).toEqual([{ at: "2026-03-01T09:00:00.000Z" }]);
  });
});
