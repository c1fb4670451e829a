import { PaymentProviderError } from "../../gateways/payments/error.ts";
import type { PaymentEvent } from "../../gateways/payments/events.ts";
import type { PaymentIntegrationRow } from "../../store/tables.ts";
import type { Core } from "../core.ts";
import { notFound } from "../error.ts";
import { gatewayOf } from "../payment-integrations/gateway-access.ts";
import { findIntegrations } from "../payment-integrations/integration-queries.ts";
import { validationFailed } from "../validation.ts";
import { recordProviderEvent } from "./record-provider-event.ts";

/** A provider's notification as it came, byte for byte. */
export interface Notification {
  readonly provider: PaymentIntegrationRow["provider"];
  /** An integration's id, or its workspace's, which is known before a provider is connected. */
  readonly id: string;
  readonly body: Buffer;
  readonly signature: string | undefined;
}

/**
 * Takes in a provider's notification, once its signature is proved; of a disconnected integration too, for what customers
 * still pay. Throws `not_found` for an unknown id, `validation_failed` for what is not the provider's or cannot be
 * understood.
 */
export async function receiveNotification(core: Core, notification: Notification): Promise<void> {
  const { provider, id } = notification;
  const integrations = await core.store.system((tx) => findIntegrations(tx, provider, id));
  const [first] = integrations;
  if (first === undefined) throw notFound("payment integration");
  for (const event of verified(core, integrations, notification))
    await recordProviderEvent(core, first.tenant_id, event);
}

/** Read with the first integration whose secret it is signed with. */
function verified(
  core: Core,
  integrations: readonly PaymentIntegrationRow[],
  { body, signature }: Notification,
): PaymentEvent[] {
  let forged: PaymentProviderError | undefined;
  for (const integration of integrations) {
    try {
      return gatewayOf(core, integration)?.verifyEvents(body, signature) ?? [];
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error;
      if (error.kind !== "signature_invalid") throw notTaken(core, integration, error, "body");
      forged ??= error;
    }
  }
  const [first] = integrations;
  if (first === undefined || forged === undefined) return [];
  throw notTaken(core, first, forged, "signature");
}

function notTaken(
  core: Core,
  { tenant_id: tenantId, payment_integration_id: paymentIntegrationId }: PaymentIntegrationRow,
  error: PaymentProviderError,
  field: "signature" | "body",
) {
  core.log[field === "body" ? "error" : "warn"](
    { err: error, tenantId, paymentIntegrationId },
    "a provider's notification was not taken",
  );
  return validationFailed([{ field, message: error.publicMessage }]);
}
