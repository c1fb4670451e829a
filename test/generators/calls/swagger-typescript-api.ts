import {
  Api,
  CollectionStatus,
  type ErpPushState,
  type ErrorCode,
  type ErrorResponse,
  type HttpResponse,
  type Invoice,
  type PaymentLink,
  type PushHeldPaymentsRequest,
  SortOrder,
} from "made/swagger-typescript-api/Api";
import { type Asked, FILTERS, NO_SUCH_INVOICE, ONE_UNIT, type Report } from "./calls.ts";

export async function call({ key, invoiceId, installmentId, connectionId, idempotencyKey }: Asked): Promise<Report> {
  const { v1 } = new Api<string>({ securityWorker: () => ({ headers: { Authorization: `Bearer ${key}` } }) });
  const filters = { ...FILTERS, collection_status: CollectionStatus.Open, order: SortOrder.Asc };
  const { data: page } = await v1.listInvoices(filters);
  const states = page.data.map((invoice: Invoice): ErpPushState | null => invoice.erp_push_state);
  // @ts-expect-error an invoice without payments has no state
  const certain: ErpPushState[] = states;

  const { data: invoice } = await v1.getInvoice(invoiceId);

  const link = async (): Promise<PaymentLink> => {
    const body = { invoice_id: invoiceId, installment_id: installmentId, amount_minor: ONE_UNIT };
    return (await v1.createPaymentLink(body, { headers: { "Idempotency-Key": idempotencyKey } })).data;
  };
  const [first, second] = [await link(), await link()];

  // It throws the answer, of a type that the person who calls has to name.
  const refused: HttpResponse<unknown, ErrorResponse> = await v1.getInvoice(NO_SUCH_INVOICE).catch((answer) => answer);
  const refusal: ErrorCode | undefined = refused.error?.error.code;

  const body: PushHeldPaymentsRequest = { connection_id: connectionId };
  // @ts-expect-error one of two is given
  const nothing: PushHeldPaymentsRequest = {};
  const headers = { "Idempotency-Key": `${idempotencyKey}-push` };
  const { data: pushed } = await v1.pushHeldPayments(body, { headers });
  return {
    listed: page.data.map((one) => one.invoice_number),
    total: page.pagination.total_count,
    states: certain,
    read: { id: invoice.id, installments: invoice.installments.length },
    link: { id: first.id, amount_minor: first.amount_minor, status: first.status },
    again: second.id,
    refusal: refusal ?? "",
    pushed: pushed.data.length + Object.keys(nothing).length,
  };
}
