import { beforeAll, describe, expect, it } from "vitest";
import { getInvoice } from "../../../src/core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../../../src/core/invoices/operations/list-invoices.ts";
import type { InvoiceRow } from "../../../src/store/tables/invoices.ts";
import { call } from "../../support/lists.ts";
import { syncRunRow } from "../../support/rows.ts";
import { addRows } from "../../support/stored.ts";
import { storesOf } from "../../support/stores.ts";
import { useBook } from "../../support/use-store.ts";

const WRITTEN = "2026-03-01T08:00:00.000Z";
const RUN = "2026-03-02T08:00:00.000Z";

describe.each(storesOf(import.meta.url))("last_synced_at on $name", ({ open }) => {
  const { book, core, store } = useBook(open);

  /** One run that began after the invoices were written, and read those up to ERP id 200 dated from February on. */
  beforeAll(async () => {
    const run = syncRunRow(book.tenantId, book.connectionId, {
      started_at: RUN,
      pull_from: "2026-02-01",
      read_through: "200",
      status: "failed",
    });
    await addRows(store, book.tenantId, { sync_runs: run });
  });

  it.each<[what: string, row: Partial<InvoiceRow>, expected: string | null]>([
    ["that the run read and found unchanged", { erp_invoice_id: "200" }, RUN],
    ["that the run did not get to", { erp_invoice_id: "201" }, WRITTEN],
    ["older than what the run asked for", { erp_invoice_id: "7", invoice_date: "2026-01-31" }, WRITTEN],
    [
      "written after the run began",
      { erp_invoice_id: "8", last_synced_at: "2026-03-03T08:00:00.000Z" },
      "2026-03-03T08:00:00.000Z",
    ],
    ["that the run no longer found", { erp_invoice_id: "9", missing_since: RUN, retired_at: RUN }, WRITTEN],
    ["made in the service", { origin: "local", last_synced_at: null }, null],
  ])("of an invoice %s [service.2.3.last-synced]", async (_what, row, expected) => {
    const { invoice } = await book.invoice({
      last_synced_at: WRITTEN,
      invoice_number: row.erp_invoice_id ?? "local",
      ...row,
    });
    const { data } = await call(core, listInvoices, book.reader, { invoice_number: invoice.invoice_number });
    expect(data.map((one) => one.last_synced_at)).toEqual([expected]);
    const one = await call(core, getInvoice, book.reader, { invoice_id: invoice.invoice_id });
    expect(one.last_synced_at).toBe(expected);
  });
});
