import {
  ApiError,
  CollectionStatus,
  type ErpPushState,
  type ErrorResponse,
  type Invoice,
  InvoicesService,
  OpenAPI,
  type PaymentLink,
  PaymentLinksService,
  PaymentsService,
  type PushHeldPaymentsRequest,
  SortOrder,
} from "made/openapi-typescript-codegen";
import { type Asked, FILTERS, NO_SUCH_INVOICE, ONE_UNIT, type Report } from "./calls.ts";

/**
 * The generator counts the response `default` among the successes (0.31.0: its `getOperationResponseCode` has 200 for it), so that
 * a failure is in the type of every answer. It is thrown all the same.
 */
function answered<Answer extends object>(answer: Answer | ErrorResponse): Answer {
  if ("error" in answer) throw new Error(answer.error.code);
  return answer;
}

export async function call({ key, invoiceId, installmentId, connectionId, idempotencyKey }: Asked): Promise<Report> {
  OpenAPI.TOKEN = key;
  const page = answered(
    await InvoicesService.listInvoices({
      hasAvailable: FILTERS.has_available,
      updatedSince: FILTERS.updated_since,
      limit: FILTERS.limit,
      includeTotal: FILTERS.include_total,
      collectionStatus: CollectionStatus.OPEN,
      order: SortOrder.ASC,
    }),
  );
  const states = page.data.map((invoice: Invoice): ErpPushState | null => invoice.erp_push_state);
  // @ts-expect-error an invoice without payments has no state
  const certain: ErpPushState[] = states;

  const invoice = answered(await InvoicesService.getInvoice({ invoiceId }));

  const link = async (): Promise<PaymentLink> => {
    const requestBody = { invoice_id: invoiceId, installment_id: installmentId, amount_minor: ONE_UNIT };
    return answered(await PaymentLinksService.createPaymentLink({ idempotencyKey, requestBody }));
  };
  const [first, second] = [await link(), await link()];

  const refused: unknown = await InvoicesService.getInvoice({ invoiceId: NO_SUCH_INVOICE }).catch((error) => error);
  const body: ErrorResponse | undefined = refused instanceof ApiError ? refused.body : undefined;

  const requestBody: PushHeldPaymentsRequest = { connection_id: connectionId };
  // @ts-expect-error one of two is given
  const nothing: PushHeldPaymentsRequest = {};
  const push = { idempotencyKey: `${idempotencyKey}-push`, requestBody };
  const pushed = answered(await PaymentsService.pushHeldPayments(push));
  return {
    listed: page.data.map((one) => one.invoice_number),
    total: page.pagination.total_count,
    states: certain,
    read: { id: invoice.id, installments: invoice.installments.length },
    link: { id: first.id, amount_minor: first.amount_minor, status: first.status },
    again: second.id,
    refusal: body?.error.code ?? "",
    pushed: pushed.data.length + Object.keys(nothing).length,
  };
}
