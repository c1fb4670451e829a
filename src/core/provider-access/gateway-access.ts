import { z } from "zod";
import { PaymentProviderError } from "../../gateways/payments/gateway.ts";
import type { PaymentIntegrationRow } from "../../store/tables/payments.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";

/**
 * Keys of a provider as they are kept, encrypted; the secret key is forgotten when the integration is disconnected. Earlier
 * webhook secrets are good until the instant beside them.
 */
const Keys = z.strictObject({
  secretKey: z.string().nullable(),
  webhookSecret: z.string(),
  earlierWebhookSecrets: z.array(z.strictObject({ secret: z.string(), until: z.string() })).optional(),
});
export type IntegrationKeys = z.output<typeof Keys>;

/** Stands for a secret key that is forgotten: the provider refuses it, and notifications can still be proved. */
const FORGOTTEN = "forgotten";

const placeOf = (paymentIntegrationId: string) => `payment_integrations/${paymentIntegrationId}`;

/** The form the store keeps keys in. */
export function sealKeys({ secrets }: Pick<Core, "secrets">, paymentIntegrationId: string, keys: IntegrationKeys) {
  return secrets.encrypt(JSON.stringify(keys), placeOf(paymentIntegrationId));
}

/** Reverses {@link sealKeys}. */
export function openKeys({ secrets }: Pick<Core, "secrets">, row: PaymentIntegrationRow) {
  const { secrets: sealed, payment_integration_id: id } = row;
  return sealed === null ? null : Keys.parse(JSON.parse(secrets.decrypt(sealed, placeOf(id))));
}

/** The keys as the provider's connector takes them. */
function usableKeys(core: Core, row: PaymentIntegrationRow) {
  const keys = openKeys(core, row);
  if (keys === null) return null;
  const { secretKey, webhookSecret, earlierWebhookSecrets: earlier = [] } = keys;
  const now = nowOf(core);
  const earlierWebhookSecrets = earlier.filter(({ until }) => until > now).map(({ secret }) => secret);
  return { secretKey: secretKey ?? FORGOTTEN, webhookSecret, earlierWebhookSecrets };
}

/** The gateway to an integration's provider, also of a disconnected one; null when it cannot be made. */
export function gatewayOf(core: Core, row: PaymentIntegrationRow) {
  try {
    const { tenant_id: tenantId, provider, api_base: apiBase } = row;
    return core.payments?.({ tenantId, provider, keys: usableKeys(core, row), apiBase }) ?? null;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    core.log.error({ err: error, paymentIntegrationId: row.payment_integration_id }, "payment_integration.unusable");
    return null;
  }
}

/**
 * The way to the provider of a link: its own integration while that is connected, else a connected one of the same account, as after
 * its keys were changed. `isForgotten`: nobody would learn of a payment through the link.
 */
export function wayOf(
  core: Core,
  { payment_integration_id: id }: Pick<PaymentIntegrationRow, "payment_integration_id">,
  all: readonly PaymentIntegrationRow[],
) {
  const own = all.find((row) => row.payment_integration_id === id);
  const isUsable = (row: PaymentIntegrationRow) => own !== undefined && isSameAccount(own, row);
  const connected = all.filter(({ status }) => status === "connected");
  const usable = connected.find((row) => row === own) ?? connected.find(isUsable);
  return { isForgotten: own?.forgotten_at != null, gateway: usable === undefined ? null : gatewayOf(core, usable) };
}

/** Whether two integrations are of one account. Test and live have one name at Stripe, and share nothing else. */
export function isSameAccount(one: PaymentIntegrationRow, other: PaymentIntegrationRow) {
  const { provider, account, livemode } = one;
  const isSameMode = livemode === null || other.livemode === null || livemode === other.livemode;
  return provider === other.provider && account !== null && account === other.account && isSameMode;
}
