import type {
  PaymentDisputed,
  PaymentEvent,
  PaymentRefunded,
  RefundFailed,
} from "../../../gateways/payments/events.ts";
import type { Transaction } from "../../../store/store.ts";
import type { PaymentIntegrationRow } from "../../../store/tables/payments.ts";
import { lockInvoices } from "../../collection/collection-queries.ts";
import type { ProviderActor } from "../../gate/actor.ts";
import type { Core } from "../../gate/dependencies.ts";
import { innerOperation } from "../../gate/inner-operation.ts";
import type { RunContext } from "../../gate/run-context.ts";
import { linkById, linkByProviderId, type StoredLink } from "../../payment-links/link-queries.ts";
import type { LinkedInvoice } from "../../payment-links/linked-debt-queries.ts";
import { livemodeOf } from "../../provider-access/gateway-access.ts";
import { isRefused, lockPaymentsOf, type ReportedPayment } from "./event-queries.ts";

/** An integration that an event counts for: its secret proved the notification, or a key of its account read it. */
export interface Voucher {
  readonly integrationId: string;
  /** Null where nobody knows; then the event's is not compared. */
  readonly livemode: boolean | null;
}

/** What a provider says, and whose links and payments it may be about (completions §12); the first one was notified. */
export interface ReportedEvent<E extends PaymentEvent = PaymentEvent> {
  readonly event: E;
  readonly vouchers: readonly [Voucher, ...Voucher[]];
}

export function voucherOf(core: Core, row: PaymentIntegrationRow): Voucher {
  return { integrationId: row.payment_integration_id, livemode: livemodeOf(core, row) };
}

/** The author of what an integration's provider tells. */
export function providerActor(tenantId: string, integrationId: string): ProviderActor {
  return { kind: "provider", tenantId, integrationId };
}

/** Why an event must not touch what belongs to an integration; null when it may. */
export function objectionTo({ event, vouchers }: ReportedEvent, integrationId: string | null) {
  const voucher = vouchers.find((one) => one.integrationId === integrationId);
  if (voucher === undefined) return "other_integration";
  return voucher.livemode === null || voucher.livemode === event.livemode ? null : "other_mode";
}

/** What an event would have been applied to. */
interface RefusedFor {
  readonly type: "payment_link" | "payment";
  readonly id: string;
}

const refusing = (id: string) =>
  innerOperation({
    id,
    callers: ["provider"],
    run: async ({ audit }, object: RefusedFor) => audit({ ...object, outcome: "refused" }),
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
export async function isVouchedFor(
  context: RunContext<ProviderActor>,
  reported: ReportedEvent,
  operation: keyof typeof REFUSED,
  { integrationId, ...object }: RefusedFor & { readonly integrationId: string | null },
): Promise<boolean> {
  const objection = objectionTo(reported, integrationId);
  if (objection === null) return true;
  const { tx, core, actor, requestId } = context;
  const act = { operation, objectType: object.type, objectId: object.id };
  if (await isRefused(tx, actor.tenantId, { ...act, requestId })) return false;
  const { tenantId, integrationId: by } = actor;
  core.log.warn({ tenantId, integrationId: by, requestId, objection, ...act }, "payment.event.refused");
  await REFUSED[operation].within(context, actor, object);
  return false;
}

/** The known payment that a refund or dispute is about, locked after its invoice; "refused" where none of its id is vouched for. */
export async function lockReportedPayment(
  context: RunContext<ProviderActor>,
  reported: ReportedEvent<PaymentRefunded | RefundFailed | PaymentDisputed>,
  operation: "recordRefund" | "recordDispute",
): Promise<ReportedPayment | "refused" | undefined> {
  const payments = await lockPaymentsOf(context.tx, context.actor.tenantId, reported.event.providerPaymentId);
  const [payment = payments[0]] = payments.filter((one) => objectionTo(reported, one.payment_integration_id) === null);
  if (payment === undefined) return undefined;
  const { payment_id: id, payment_integration_id: integrationId } = payment;
  return (await isVouchedFor(context, reported, operation, { type: "payment", id, integrationId }))
    ? payment
    : "refused";
}

/** The link an event is about, by the provider's id of it before ours; locked after its invoice. */
export async function lockLinkOf(
  tx: Transaction,
  tenantId: string,
  { providerLinkId, linkId }: { readonly providerLinkId: string | null; readonly linkId: string | null },
): Promise<{ link: StoredLink; invoice: LinkedInvoice } | undefined> {
  const byProvider = providerLinkId === null ? undefined : await linkByProviderId(tx, tenantId, providerLinkId);
  const known = byProvider ?? (linkId === null ? undefined : await linkById(tx, tenantId, linkId));
  if (known === undefined) return undefined;
  const [invoice] = await lockInvoices(tx, tenantId, [known.invoice_id]);
  const link = await linkById(tx, tenantId, known.payment_link_id, { lock: true });
  return link === undefined || invoice === undefined ? undefined : { link, invoice };
}
