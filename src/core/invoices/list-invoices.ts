import { z } from "zod";
import { ROUTE_CALLERS } from "../actor.ts";
import { operation } from "../operation.ts";
import { LIST_PARAMETERS, listPage, Pagination } from "../page.ts";
import { matchingInvoices } from "./queries.ts";
import { fewInRange } from "./range-queries.ts";
import { INVOICE_FILTERS, Invoice } from "./schema.ts";
import { invoiceOnWire } from "./wire.ts";

const id = "listInvoices";

/** service.md §4.4. */
export const listInvoices = operation({
  id,
  callers: ROUTE_CALLERS,
  permission: "readonly",
  scope: "receivables:read",
  sideEffects: "None.",
  input: z.strictObject({ ...INVOICE_FILTERS, ...LIST_PARAMETERS }),
  output: z.strictObject({ data: z.array(Invoice), pagination: Pagination }),
  async run(context, input) {
    const { tx, actor } = context;
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
