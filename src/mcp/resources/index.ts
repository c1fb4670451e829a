import { UNASSIGNED } from "../../core/aging/buckets.ts";
import { listAgingInstallments } from "../../core/aging/operations/list-aging-installments.ts";
import { notFound } from "../../core/gate/error.ts";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../../core/invoices/operations/list-invoices.ts";
import type { CallOperation } from "../feature.ts";
import { customerKeys, suggestInvoices } from "../suggestions.ts";
import { GUIDE } from "./guide.ts";
import type { ResourceTemplate, StaticResource } from "./resource.ts";

export const INVOICE: ResourceTemplate = {
  uriTemplate: "receivables://invoices/{invoice_id}",
  name: "invoice",
  title: "Invoice",
  description: "One invoice with its installments, as get_invoice answers it.",
  mimeType: "application/json",
  variables: { invoice_id: suggestInvoices },
  read: ({ invoice_id = "" }, call) => call(getInvoice, { invoice_id }),
};

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

/** Resources that are the same for everybody; `openApi` is the description of the REST API. */
export function staticResources(openApi: () => string): readonly StaticResource[] {
  return [
    GUIDE,
    {
      uri: "receivables://openapi.json",
      name: "openapi",
      title: "REST API description",
      description: "OpenAPI 3.1 of the API for systems. Long, and for writing programs: tools need none of it.",
      mimeType: "application/json",
      read: openApi,
    },
  ];
}

/** Resources of the caller's workspace. */
export const resourceTemplates: readonly ResourceTemplate[] = [INVOICE, CUSTOMER_AGING];
