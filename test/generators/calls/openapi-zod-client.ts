import { isErrorFromAlias } from "@zodios/core";
import { api, createApiClient } from "made/openapi-zod-client";
import { type Asked, FILTERS, NO_SUCH_INVOICE, ONE_UNIT, type Report } from "./calls.ts";

/** Every answer is checked against the schemas that were made of the description. */
export async function call({
  baseUrl,
  key,
  invoiceId,
  installmentId,
  connectionId,
  idempotencyKey,
}: Asked): Promise<Report> {
  const authorized = { Authorization: `Bearer ${key}` };
  const client = createApiClient(baseUrl, { axiosConfig: { headers: authorized } });
  const page = await client.listInvoices({ queries: { ...FILTERS, collection_status: "open", order: "asc" } });
  const states = page.data.map((invoice) => invoice.erp_push_state);
  // @ts-expect-error an invoice without payments has no state
  const certain: string[] = states;

  const invoice = await client.getInvoice({ params: { invoiceId } });

  const link = () =>
    client.createPaymentLink(
      { invoice_id: invoiceId, installment_id: installmentId, amount_minor: ONE_UNIT },
      { headers: { "Idempotency-Key": idempotencyKey } },
    );
  const [first, second] = [await link(), await link()];

  const refused: unknown = await client.getInvoice({ params: { invoiceId: NO_SUCH_INVOICE } }).catch((error) => error);
  // Without a body where the caller had the answer.
  const said = isErrorFromAlias(api.api, "getInvoice", refused) ? refused.response.data : undefined;
  const refusal = typeof said === "object" ? said.error.code : "";

  const pushed = await client.pushHeldPayments(
    { connection_id: connectionId },
    { headers: { "Idempotency-Key": `${idempotencyKey}-push` } },
  );
  return {
    listed: page.data.map((one) => one.invoice_number),
    total: page.pagination.total_count,
    states: certain,
    read: { id: invoice.id, installments: invoice.installments.length },
    link: { id: first.id, amount_minor: first.amount_minor, status: first.status },
    again: second.id,
    refusal,
    pushed: pushed.data.length,
  };
}
