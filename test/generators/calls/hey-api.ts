import type { ErpPushState, ErrorCode, Invoice, PaymentLink, PushHeldPaymentsRequest } from "made/hey-api";
import { createPaymentLink, getInvoice, listInvoices, pushHeldPayments } from "made/hey-api";
import { client } from "made/hey-api/client.gen";
import { type Asked, FILTERS, NO_SUCH_INVOICE, ONE_UNIT, type Report } from "./calls.ts";

export async function call({ key, invoiceId, installmentId, connectionId, idempotencyKey }: Asked): Promise<Report> {
  client.setConfig({ auth: key });
  const page = await listInvoices({
    query: { ...FILTERS, collection_status: "open", order: "asc" },
    throwOnError: true,
  });
  const states = page.data.data.map((invoice: Invoice): ErpPushState | null => invoice.erp_push_state);
  // @ts-expect-error an invoice without payments has no state
  const certain: ErpPushState[] = states;

  const { data: invoice } = await getInvoice({ path: { invoiceId }, throwOnError: true });

  const link = async (): Promise<PaymentLink> => {
    const body = { invoice_id: invoiceId, installment_id: installmentId, amount_minor: ONE_UNIT };
    const made = await createPaymentLink({ body, headers: { "Idempotency-Key": idempotencyKey }, throwOnError: true });
    return made.data;
  };
  const [first, second] = [await link(), await link()];

  const refused = await getInvoice({ path: { invoiceId: NO_SUCH_INVOICE } });
  const refusal: ErrorCode | undefined = refused.error?.error.code;

  const body: PushHeldPaymentsRequest = { connection_id: connectionId };
  // @ts-expect-error one of two is given
  const nothing: PushHeldPaymentsRequest = {};
  const pushed = await pushHeldPayments({
    body,
    headers: { "Idempotency-Key": `${idempotencyKey}-push` },
    throwOnError: true,
  });
  return {
    listed: page.data.data.map((one) => one.invoice_number),
    total: page.data.pagination.total_count,
    states: certain,
    read: { id: invoice.id, installments: invoice.installments.length },
    link: { id: first.id, amount_minor: first.amount_minor, status: first.status },
    again: second.id,
    refusal: refusal ?? "",
    pushed: pushed.data.data.length + Object.keys(nothing).length,
  };
}
