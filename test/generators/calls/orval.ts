import {
  createPaymentLink,
  type ErpPushState,
  type ErrorCode,
  getInvoice,
  type Invoice,
  listInvoices,
  type PaymentLink,
  type PushHeldPaymentsRequest,
  pushHeldPayments,
} from "made/orval/api";
import { type Asked, FILTERS, NO_SUCH_INVOICE, ONE_UNIT, type Report } from "./calls.ts";

export async function call({ key, invoiceId, installmentId, connectionId, idempotencyKey }: Asked): Promise<Report> {
  const authorized = { Authorization: `Bearer ${key}` };
  const page = await listInvoices({ ...FILTERS, collection_status: "open", order: "asc" }, { headers: authorized });
  if (page.status !== 200) throw new Error(page.data.error.code);
  const states = page.data.data.map((invoice: Invoice): ErpPushState | null => invoice.erp_push_state);
  // @ts-expect-error an invoice without payments has no state
  const certain: ErpPushState[] = states;

  const invoice = await getInvoice(invoiceId, { headers: authorized });
  if (invoice.status === 304) throw new Error("no ETag was sent");
  if (invoice.status !== 200) throw new Error(invoice.data.error.code);

  const link = async (): Promise<PaymentLink> => {
    const body = { invoice_id: invoiceId, installment_id: installmentId, amount_minor: ONE_UNIT };
    const made = await createPaymentLink(body, { headers: { ...authorized, "Idempotency-Key": idempotencyKey } });
    if (made.status !== 201) throw new Error(made.data.error.code);
    return made.data;
  };
  const [first, second] = [await link(), await link()];

  const refused = await getInvoice(NO_SUCH_INVOICE, { headers: authorized });
  const refusal: ErrorCode | undefined = refused.status === 404 ? refused.data.error.code : undefined;

  const body: PushHeldPaymentsRequest = { connection_id: connectionId };
  // @ts-expect-error one of two is given
  const nothing: PushHeldPaymentsRequest = {};
  const pushed = await pushHeldPayments(body, {
    headers: { ...authorized, "Idempotency-Key": `${idempotencyKey}-push` },
  });
  if (pushed.status !== 202) throw new Error(pushed.data.error.code);
  return {
    listed: page.data.data.map((one) => one.invoice_number),
    total: page.data.pagination.total_count,
    states: certain,
    read: { id: invoice.data.id, installments: invoice.data.installments.length },
    link: { id: first.id, amount_minor: first.amount_minor, status: first.status },
    again: second.id,
    refusal: refusal ?? "",
    pushed: pushed.data.data.length + Object.keys(nothing).length,
  };
}
