import { z } from "zod";
import { ROUTE_CALLERS } from "../../gate/actor.ts";
import { examplePage, HALF_PAID, NOT_DUE } from "../../gate/example-book.ts";
import { operation } from "../../gate/operation.ts";
import { LIST_PARAMETERS, listPage, Pagination } from "../../shared/page.ts";
import { filterInstants } from "../../workspace/day-starts.ts";
import { fewInRange, matchingInvoices } from "../queries.ts";
import { INVOICE_FILTERS, Invoice } from "../schema.ts";
import { invoiceOnWire } from "../wire.ts";

const id = "listInvoices";

/** service.md §4.4. */
export const listInvoices = operation({
  id,
  tag: "Invoices",
  summary: "List invoices",
  description:
    "Newest first. Filters combine freely. Age by `collection_due_date`, never by `due_date`; invoices without one are left out under a due filter, and both its ends are inclusive. A due filter selects whole invoices, with installments that are not due yet: never sum amounts under it; what is due or overdue is in `/v1/aging/summary`. `inactive` is neither unpaid nor written off. To total what is owed and collectible, sum `collection_outstanding` of `collection_status=open` without a due filter, each currency by itself. Polling with the newest `updated_at` as `updated_since` returns that row again and misses none; of several pages, take the newest of the first. Collections do not move it.",
  example: { answer: examplePage(NOT_DUE, HALF_PAID) },
  callers: ROUTE_CALLERS,
  permission: "readonly",
  scope: "receivables:read",
  sideEffects: "None.",
  input: z.strictObject({ ...INVOICE_FILTERS, ...LIST_PARAMETERS }),
  output: z.strictObject({ data: z.array(Invoice), pagination: Pagination }),
  async run(context, given) {
    const { tx, actor } = context;
    const [updatedSince] = await filterInstants(context, [given.updated_since]);
    const input = { ...given, updated_since: updatedSince };
    const { rows, pagination } = await listPage(context, {
      operation: id,
      input,
      query: (db, tenantId) => matchingInvoices(db, tenantId, input),
      columns: { createdAt: "invoices.created_at", id: "invoices.invoice_id" },
      idOf: (row) => row.invoice_id,
      few: {
        all: (db, tenantId) => matchingInvoices(db, tenantId, {}),
        test: () => fewInRange(tx, actor.tenantId, input),
      },
    });
    return { data: rows.map(invoiceOnWire), pagination };
  },
});
