import { UNASSIGNED } from "../../core/aging/buckets.ts";
import { listAgingInstallments } from "../../core/aging/operations/list-aging-installments.ts";
import { notFound } from "../../core/gate/error.ts";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../../core/invoices/operations/list-invoices.ts";
import type { CallOperation } from "../feature.ts";
import { customerKeys } from "../suggestions.ts";
import type { ResourceTemplate } from "./resource.ts";

export const CUSTOMER_AGING: ResourceTemplate = {
  uriTemplate: "receivables://customers/{customer_key}/aging",
  name: "customer_aging",
  title: "Customer aging",
  description:
    "One customer's open installments by due date with exact totals, as list_installment_aging answers them with " +
    "`customer_key` only; while there is a `next_cursor`, the rest is read with that tool.",
  mimeType: "application/json",
  variables: { customer_key: customerKeys },
  async read({ customer_key = "" }, call) {
    const report = await call(listAgingInstallments, { customer_key });
    if (report.data.length === 0) await assertKnown(customer_key, call);
    return report;
  },
};

/** A customer who owes nothing has an empty report. Throws `not_found` for an unknown customer. */
async function assertKnown(customerKey: string, call: CallOperation): Promise<void> {
  if (customerKey.startsWith(UNASSIGNED)) {
    const invoice = await call(getInvoice, { invoice_id: customerKey.slice(UNASSIGNED.length) });
    if (invoice.customer.id === null) return;
  } else {
    const { data } = await call(listInvoices, { customer_id: customerKey, limit: 1 });
    if (data.length > 0) return;
  }
  throw notFound("customer");
}
