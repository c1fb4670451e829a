import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { InvoiceRow } from "../../src/store/tables/invoices.ts";
import { type Book, invoiceRow, openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { newKey, openRestApp, type RestApp, send } from "../support/rest-app.ts";
import { setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

/** Few values, so that creation times collide and every filter meets rows. */
const INSTANTS = ["2026-03-01T00:00:00.000Z", "2026-03-01T00:00:00.001Z", "2026-03-02T12:00:00.000Z"];
const row = fc.record({
  created_at: fc.constantFrom(...INSTANTS),
  currency: fc.constantFrom("USD", "EUR"),
  collection_status: fc.constantFrom("open", "paid", "inactive"),
  collection_due_date: fc.option(fc.constantFrom("2026-02-28", "2026-03-01")),
  has_active_payment_link: fc.boolean(),
});
const filter = fc.record(
  {
    currency: fc.constantFrom("USD", "EUR"),
    collection_status: fc.constantFrom("open", "paid"),
    due_before: fc.constantFrom("2026-02-28", "2026-03-01"),
    has_active_payment_link: fc.boolean(),
  },
  { requiredKeys: [] },
);
/** What happens between two pages: rows come, rows change in ways the filters do or do not see. */
const event = fc.oneof(
  fc.record({ kind: fc.constant("added" as const), row }),
  fc.record({ kind: fc.constant("touched" as const), index: fc.nat(), row: fc.constant(null) }),
  fc.record({ kind: fc.constant("moved" as const), index: fc.nat(), row }),
);
const scene = fc.record({
  rows: fc.array(row, { minLength: 5, maxLength: 40, size: "max" }),
  filter,
  order: fc.constantFrom("asc", "desc"),
  limit: fc.integer({ min: 1, max: 7 }),
  events: fc.array(event, { minLength: 4, maxLength: 12 }),
});
type Filter = typeof filter extends fc.Arbitrary<infer F> ? F : never;
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

const Page = z.object({
  data: z.array(z.looseObject({ id: z.string() })),
  pagination: z.object({ next_cursor: z.string().nullable(), has_more: z.boolean() }),
});

function matches(invoice: InvoiceRow, asked: Filter): boolean {
  const due = invoice.collection_due_date;
  return (
    (asked.currency === undefined || invoice.currency === asked.currency) &&
    (asked.collection_status === undefined || invoice.collection_status === asked.collection_status) &&
    (asked.has_active_payment_link === undefined ||
      invoice.has_active_payment_link === asked.has_active_payment_link) &&
    (asked.due_before === undefined || (due !== null && due <= asked.due_before))
  );
}

describe.each(A_STORE)("a list walked while its rows change on $name", ({ open }) => {
  const opened = useStore(open);
  let app: RestApp;

  beforeAll(async () => {
    app = await openRestApp(testCore(opened.store), { limited: false });
  });
  afterAll(() => app.close());

  /** Lets one thing happen, and keeps the model in step. Answers the id of a row whose place among the filters moved. */
  async function happen(book: Book, invoices: InvoiceRow[], one: Event): Promise<string | null> {
    if (one.kind === "added") {
      const added = invoiceRow(book.tenantId, one.row);
      await book.insert({ invoices: [added] });
      return null;
    }
    const changed = invoices[one.index % invoices.length];
    if (changed === undefined) return null;
    const set =
      one.kind === "touched"
        ? { updated_at: "2026-03-09T00:00:00.000Z", collection_outstanding: "7.5", invoice_number: "CHANGED" }
        : { collection_status: one.row.collection_status, currency: one.row.currency };
    await setRows(opened.store, book.tenantId, "invoices", set, { invoice_id: changed.invoice_id });
    return one.kind === "moved" ? changed.invoice_id : null;
  }

  it("shows what was there throughout exactly once and in order [service.4.1.order] [service.4.1.walk]", async () => {
    const core = testCore(opened.store);
    await fc.assert(
      fc.asyncProperty(scene, async ({ rows, filter: asked, order, limit, events }) => {
        const book = await openBook(opened.store);
        const key = await newKey(core, book.tenantId, "readonly");
        const invoices = rows.map((one) => invoiceRow(book.tenantId, one));
        await book.insert({ invoices });
        const place = ({ created_at: at, invoice_id: id }: InvoiceRow) => `${at} ${id}`;
        const before = invoices.filter((one) => matches(one, asked)).sort((a, b) => (place(a) < place(b) ? -1 : 1));
        if (order === "desc") before.reverse();

        const moved = new Set<string | null>();
        const seen: string[] = [];
        const waiting = [...events];
        let cursor: string | null = null;
        do {
          const query: URLSearchParams = new URLSearchParams({ order, limit: String(limit) });
          for (const [name, value] of Object.entries(asked)) query.set(name, String(value));
          if (cursor !== null) query.set("cursor", cursor);
          const [answer] = await Promise.all([
            send(`${app.url}/v1/invoices?${query}`, { key }),
            ...waiting.splice(0, 2).map(async (one) => moved.add(await happen(book, invoices, one))),
          ]);
          const page = Page.parse(answer.body);
          seen.push(...page.data.map((one) => one.id));
          cursor = page.pagination.next_cursor;
          expect(page.pagination.has_more).toBe(cursor !== null);
        } while (cursor !== null);

        expect(new Set(seen).size).toBe(seen.length);
        const steady = before.map((one) => one.invoice_id).filter((id) => !moved.has(id));
        const known = new Set(steady);
        expect(seen.filter((id) => known.has(id))).toEqual(steady);
      }),
      { numRuns: 60 },
    );
  });
});
