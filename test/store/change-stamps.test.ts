import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { stampChanged } from "../../src/store/change-stamps.ts";
import { installmentRow, invoiceRow, openBook } from "../support/book.ts";
import { readSoFar } from "../support/reads.ts";
import { storesOf } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

const AT = "2026-03-01T10:00:00.000Z";

describe.each(storesOf(import.meta.url))("stamps of what changed on $name", ({ open }) => {
  const { store } = useStore(open);

  it("cost what goes with the invoices, in a workspace that the planner knows nothing of [facts.scale.joined]", async () => {
    const book = await openBook(store);
    const { tenantId } = book;
    /** Rows read to stamp a number of new invoices of two installments each. */
    const cost = async (count: number): Promise<number> => {
      const invoices = Array.from({ length: count }, () =>
        invoiceRow(tenantId, { connection_id: book.connectionId, has_installments: true }),
      );
      const installments = invoices.flatMap(({ invoice_id: id }) => [
        installmentRow(tenantId, id, { sequence_number: 1 }),
        installmentRow(tenantId, id, { sequence_number: 2 }),
      ]);
      await book.insert({ invoices, installments });
      const ids = new Set(invoices.map((invoice) => invoice.invoice_id));
      return store.write(tenantId, async (tx) => {
        await sql`delete from change_stamps where tenant_id = ${tenantId}`.execute(tx);
        const before = await readSoFar(tx);
        await stampChanged(tx, tenantId, { invoices: ids, payments: new Set(), links: new Set() }, AT);
        return (await readSoFar(tx)).rows - before.rows;
      });
    };
    // While a table is small it may be read whole, and then once.
    let inBook = 0;
    for (const count of [50, 450, 1_500]) {
      inBook += count;
      expect(await cost(count), `${count} of ${inBook} invoices`).toBeLessThan(20 * inBook);
    }
  });
});
