import type {
  PaymentDisputed,
  PaymentEvent,
  PaymentRefunded,
  RefundFailed,
} from "../../../gateways/payments/gateway.ts";
import type { PaymentIntegrationRow } from "../../../store/tables/payments.ts";
import { lockInvoices } from "../../collection/collection-queries.ts";
import type { ProviderActor } from "../../gate/actor.ts";
import type { RunContext } from "../../gate/run-context.ts";
import { workStep } from "../../gate/work-step.ts";
import { linkById } from "../../payment-links/link-queries.ts";
import { isRefused, lockPaymentsOf, type Reported } from "./event-queries.ts";

/** An integration that an event counts for: its secret proved the notification, or a key of its account read it. */
export interface Voucher {
  readonly integrationId: string;
  /** Null where nobody knows; then the event's is not compared. */
  readonly livemode: boolean | null;
}

/** What a provider says, and whose links and payments it may be about (completions §12); the first one was notified. */
export interface ReportedEvent {
  readonly event: PaymentEvent;
  readonly vouchers: readonly [Voucher, ...Voucher[]];
}

/** What an event is taken in with. */
export type Taking = RunContext<ProviderActor> & Pick<ReportedEvent, "vouchers">;

export function voucherOf(row: PaymentIntegrationRow) {
  return { integrationId: row.payment_integration_id, livemode: row.livemode };
}

/** The author of what a provider tells of a link or payment: its integration. */
export function providerOf({ tenant_id, payment_integration_id: id }: Omit<Reported, "invoice_id">): ProviderActor {
  return { kind: "provider", tenantId: tenant_id, integrationId: id ?? "" };
}

/** What an event is about, as the audit trail names it. */
export const objectOf = ({ payment_id, payment_link_id }: Reported) =>
  payment_id == null ? { type: "payment_link", id: payment_link_id ?? "" } : { type: "payment", id: payment_id };

/** Why an event must not touch what belongs to an integration; null when it may. */
export function objectionTo(
  { vouchers }: Taking,
  { livemode }: PaymentEvent,
  { payment_integration_id: id }: Reported,
) {
  const voucher = vouchers.find((one) => one.integrationId === id);
  if (voucher === undefined) return "other_integration";
  return voucher.livemode === null || voucher.livemode === livemode ? null : "other_mode";
}

const refusing = (id: string) =>
  workStep({
    name: id,
    callers: ["provider"],
    run: async ({ audit }, of: Reported) => audit({ ...objectOf(of), outcome: "refused" }),
  });

/** An event's acts, left undone. */
const REFUSED = {
  recordPayment: refusing("recordPayment"),
  recordRefund: refusing("recordRefund"),
  recordDispute: refusing("recordDispute"),
  deactivatePaymentLink: refusing("deactivatePaymentLink"),
} as const;

/**
 * Whether an event may be applied to what belongs to an integration. If not, it is refused in the log and, once for each event,
 * in the audit trail; the provider is answered with success all the same: an account with two webhook endpoints signs each event
 * with two secrets, of which one is the right one, and would otherwise send the other copy for days.
 */
export async function isVouchedFor(taking: Taking, event: PaymentEvent, operation: keyof typeof REFUSED, of: Reported) {
  const objection = objectionTo(taking, event, of);
  if (objection === null) return true;
  const { tx, core, actor, requestId } = taking;
  const { tenantId, integrationId } = actor;
  const { type: objectType, id: objectId } = objectOf(of);
  if (await isRefused(tx, { tenant_id: tenantId, operation, object_id: objectId, request_id: requestId })) return false;
  const fields = { tenantId, integrationId, requestId, objection, operation, objectType, objectId };
  core.log.warn(fields, "payment.event.refused");
  await REFUSED[operation].within(taking, actor, of);
  return false;
}

/** The known payment that a refund or dispute is about, locked after its invoice; "refused" where none of its id is vouched for. */
export async function lockReportedPayment(
  taking: Taking,
  event: PaymentRefunded | RefundFailed | PaymentDisputed,
  operation: "recordRefund" | "recordDispute",
) {
  const payments = await lockPaymentsOf(taking.tx, taking.actor.tenantId, event.providerPaymentId);
  const [payment = payments[0]] = payments.filter((one) => objectionTo(taking, event, one) === null);
  if (payment === undefined) return undefined;
  return (await isVouchedFor(taking, event, operation, payment)) ? payment : "refused";
}

/** The link an event is about, by the provider's id of it before ours, and its invoice; locked after that. */
export async function lockLinkOf(
  { tx, actor: { tenantId } }: Taking,
  { providerLinkId, linkId }: { readonly providerLinkId: string | null; readonly linkId: string | null },
) {
  const byProvider =
    providerLinkId === null ? undefined : await linkById(tx, tenantId, providerLinkId, { column: "provider_link_id" });
  const known = byProvider ?? (linkId === null ? undefined : await linkById(tx, tenantId, linkId));
  if (known === undefined) return undefined;
  const [invoice] = await lockInvoices(tx, tenantId, [known.invoice_id]);
  const link = await linkById(tx, tenantId, known.payment_link_id, { lock: true });
  return link === undefined || invoice === undefined ? undefined : { link, invoice };
}
