import { PaymentProviderError } from "../../gateways/payments/error.ts";
import type { PaymentEvent } from "../../gateways/payments/events.ts";
import type { PaymentIntegrationRow } from "../../store/tables.ts";
import type { Core } from "../core.ts";
import { notFound } from "../error.ts";
import { gatewayOf } from "../payment-integrations/gateway-access.ts";
import { findIntegration } from "../payment-integrations/integration-queries.ts";
import { validationFailed } from "../validation.ts";
import { recordProviderEvent } from "./record-provider-event.ts";

/** A provider's notification as it came, byte for byte. */
export interface Notification {
  readonly provider: PaymentIntegrationRow["provider"];
  readonly paymentIntegrationId: string;
  readonly body: Buffer;
  readonly signature: string | undefined;
}

/**
 * Takes in a provider's notification, once its signature is proved; of a disconnected integration too, for what customers
 * still pay. Throws `not_found` for an unknown integration, `validation_failed` for what is not the provider's or cannot
 * be understood.
 */
export async function receiveNotification(core: Core, notification: Notification): Promise<void> {
  const { provider, paymentIntegrationId } = notification;
  const integration = await core.store.system((tx) => findIntegration(tx, paymentIntegrationId));
  if (integration?.provider !== provider) throw notFound("payment integration");
  for (const event of verified(core, integration, notification))
    await recordProviderEvent(core, integration.tenant_id, event);
}

function verified(core: Core, integration: PaymentIntegrationRow, { body, signature }: Notification): PaymentEvent[] {
  const gateway = gatewayOf(core, integration);
  if (gateway === null) throw notFound("payment integration");
  try {
    return gateway.verifyEvents(body, signature);
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    const fields = { err: error, paymentIntegrationId: integration.payment_integration_id };
    const isForged = error.kind === "signature_invalid";
    core.log[isForged ? "warn" : "error"](fields, "a provider's notification was not taken");
    const field = isForged ? "signature" : "body";
    throw validationFailed([{ field, message: error.publicMessage }]);
  }
}
