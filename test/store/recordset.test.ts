import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { type Columns, recordset } from "../../src/store/recordset.ts";
import { everyRow, STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

interface Row {
  id: string | null;
  note: string | null;
  amount: string | null;
  day: string | null;
  at: string | null;
  yes: boolean | null;
  place: number | null;
  number: string | null;
}

const COLUMNS = {
  id: "uuid",
  note: "text",
  amount: "numeric",
  day: "date",
  at: "timestamptz",
  yes: "boolean",
  place: "integer",
  number: "bigint",
} as const satisfies Columns<Row>;

const note = fc.oneof(
  fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", "")),
  fc.stringMatching(/^[{}",\\ NUL\n']*$/),
  fc.constantFrom("NULL", "null", "", '"', "\\", "{}", " "),
);
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });

const rows = fc.array(
  fc.record<Row>({
    id: orNull(fc.uuid()),
    note: orNull(note),
    amount: orNull(fc.constantFrom("0", "-12.50", "99999999999999999999.99", "0.000000000000000001")),
    day: orNull(fc.constantFrom("2026-02-28", "0001-01-01", "9999-12-31")),
    at: orNull(fc.constantFrom("2026-03-10T15:00:00.123Z", "1999-12-31T23:59:59.000Z")),
    yes: orNull(fc.boolean()),
    place: orNull(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
    number: orNull(fc.constantFrom("300100180148289123", "9223372036854775807", "0")),
  }),
  { maxLength: 5 },
);

describe.each(STORES)("rows given to a statement on $name", ({ open }) => {
  const { store } = useStore(open);

  it("arrive as they are, whatever their text", async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const found = await everyRow(store, (tx) =>
          sql<Row>`select * from ${recordset("given", given, COLUMNS)}`.execute(tx),
        );
        expect(found.rows.map((row) => ({ ...row }))).toEqual(given);
      }),
    );
  });
});
