import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { listInvoices } from "../../../src/core/invoices/operations/list-invoices.ts";
import { touchInvoices } from "../../../src/store/aging/rollup.ts";
import { openBook } from "../../support/book.ts";
import { testCore } from "../../support/core.ts";
import { call, refusal } from "../../support/lists.ts";
import { A_STORE } from "../../support/thorough.ts";
import { useStore } from "../../support/use-store.ts";

describe.each(A_STORE)("rankings of invoices on $name", ({ open }) => {
  const { store } = useStore(open);
  const core = testCore(store);

  it("refuses an order beside another ranking, naming it [completions.10.invoices-sort]", async () => {
    const own = await openBook(store);
    for (const collection_due_date of ["2026-03-10", "2026-03-11", null]) await own.invoice({ collection_due_date });
    const list = (input: object) => call(core, listInvoices, own.reader, input);
    for (const order of ["asc", "desc"])
      expect(await refusal(list({ sort: "due_asc", order }))).toMatchObject({
        error: {
          code: "validation_failed",
          details: [{ field: "order", message: "goes with sort=created only, not with due_asc" }],
        },
      });
    const { pagination } = await list({ sort: "due_asc", limit: 2 });
    expect(await refusal(list({ sort: "overdue_desc", limit: 2, cursor: pagination.next_cursor }))).toMatchObject({
      error: { code: "invalid_cursor" },
    });
  });

  it("brings rows that stay as they are exactly once, while others change [completions.10.sorted-walks]", async () => {
    const own = await openBook(store);
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        own.invoice({
          collection_outstanding: String(index % 7),
          due_date: index % 2 === 0 ? "2026-02-01" : "2026-12-01",
          collection_due_date: index % 3 === 0 ? null : `2026-03-${10 + (index % 5)}`,
        }),
      ),
    );
    const [kept, moved] = [made.slice(0, 25), made.slice(25)].map((some) =>
      some.map(({ invoice }) => invoice.invoice_id),
    );
    for (const sort of ["outstanding_desc", "overdue_desc", "due_asc"]) {
      const seen: string[] = [];
      let cursor: string | null = null;
      for (let page = 0; page === 0 || cursor !== null; page += 1) {
        const input: object = { sort, limit: 3, ...(cursor === null ? {} : { cursor }) };
        const { data, pagination }: z.output<typeof listInvoices.output> = await call(
          core,
          listInvoices,
          own.reader,
          input,
        );
        seen.push(...data.map((row) => row.id));
        cursor = pagination.next_cursor;
        await store.write(own.tenantId, async (tx) => {
          const at = moved?.[page % moved.length] ?? "";
          touchInvoices(tx, [at]);
          await sql`update invoices set collection_outstanding = ${page % 9}, due_date = '2026-01-01',
            collection_due_date = date '2026-03-10' + ${page % 6}::int
            where tenant_id = ${own.tenantId} and invoice_id = ${at}`.execute(tx);
        });
      }
      const ofKept = seen.filter((id) => kept?.includes(id));
      expect(ofKept.toSorted(), sort).toEqual(kept?.toSorted());
    }
  });
});
