import { setImmediate as nextTurn } from "node:timers/promises";
import { type PaymentEvent, PaymentProviderError } from "../../../gateways/payments/gateway.ts";
import type { PaymentIntegrationRow } from "../../../store/tables/payments.ts";
import type { Core } from "../../gate/dependencies.ts";
import { workStep } from "../../gate/work-step.ts";
import { notFound } from "../../kernel/error.ts";
import { validationFailed } from "../../kernel/validation.ts";
import { gatewayOf } from "../../provider-access/gateway-access.ts";
import { findIntegrations } from "../../provider-access/integration-queries.ts";
import { recordProviderEvent } from "./record-provider-event.ts";
import { type ReportedEvent, type Voucher, voucherOf } from "./vouching.ts";

/** A provider's notification. */
interface Notification {
  readonly provider: PaymentIntegrationRow["provider"];
  /** An integration's id, or its workspace's, which is known before a provider is connected. */
  readonly id: string;
  readonly signature: string | undefined;
  /** Looks for whose it is when it is its sender's turn. */
  inLook<T>(look: () => Promise<T>): Promise<T>;
  /** Reads it and proves it, when it is the place of its sender to a workspace: memory holds what was read. */
  inPlace<T>(tenantId: string, work: () => Promise<T>): Promise<T>;
  /** Reads it as it came, byte for byte; called only where the id is known. */
  readBody(): Promise<Buffer>;
  /** Proves its signature when it is its sender's turn, which costs the body's length for each secret it may be signed with. */
  inTurn<T>(tenantId: string, prove: () => Promise<T>): Promise<T>;
}

/**
 * Takes in a provider's notification, once its signature is proved: for the links of those integrations of the workspace
 * whose webhook secret it is signed with, disconnected ones too, for what customers still pay (completions §12). Two may
 * share a secret, as when an account was connected twice. Throws `not_found` for an unknown id, `validation_failed` for
 * what is not the provider's or cannot be understood, and what reading it throws.
 */
export async function receiveNotification(core: Core, notification: Notification) {
  const { provider, id, signature, inLook, inPlace, readBody, inTurn } = notification;
  const integrations = await inLook(() => integrationsBehind(core, provider, id));
  const [first] = integrations;
  if (first === undefined) throw notFound("payment integration");
  const { tenant_id: tenantId } = first;
  const { events, vouchers } = await inPlace(tenantId, async () => {
    const body = await readBody();
    return inTurn(tenantId, () => verify(core, first, integrations, { body, signature }));
  });
  for (const event of events) await recordProviderEvent(core, tenantId, { event, vouchers });
}

const integrationsBehind = workStep({
  in: "directory",
  run: ({ tx }, provider: Notification["provider"], id: string) => findIntegrations(tx, provider, id),
});

/** What it says, and whose secrets it is signed with. */
async function verify(
  core: Core,
  first: PaymentIntegrationRow,
  integrations: readonly PaymentIntegrationRow[],
  { body, signature }: { body: Buffer; signature: string | undefined },
): Promise<Pick<ReportedEvent, "vouchers"> & { events: readonly PaymentEvent[] }> {
  let forged = new PaymentProviderError("signature_invalid", "No integration has a webhook secret for it.");
  let events: readonly PaymentEvent[] = [];
  const vouchers: Voucher[] = [];
  for (const integration of integrations) {
    const verifier = gatewayOf(core, integration);
    if (verifier === null) continue;
    await nextTurn();
    try {
      events = verifier.verifyEvents(body, signature);
      vouchers.push(voucherOf(integration));
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error;
      if (error.kind !== "signature_invalid") throw notTaken(core, integration, error, "body");
      forged = error;
    }
  }
  const [voucher, ...others] = vouchers;
  if (voucher === undefined) throw notTaken(core, first, forged, "signature");
  return { events, vouchers: [voucher, ...others] };
}

function notTaken(
  core: Core,
  { tenant_id: tenantId, payment_integration_id: paymentIntegrationId }: PaymentIntegrationRow,
  error: PaymentProviderError,
  field: "signature" | "body",
) {
  const [level, why] =
    field === "body" ? (["error", { err: error }] as const) : (["warn", { reason: error.message }] as const);
  core.log[level]({ ...why, tenantId, paymentIntegrationId }, "payment.notification.not_taken");
  return validationFailed([{ field, message: error.publicMessage }]);
}
