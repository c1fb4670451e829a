import { z } from "zod";
import { PaymentProviderError } from "../../gateways/payments/error.ts";
import type { PaymentGateway } from "../../gateways/payments/gateway.ts";
import type { PaymentIntegrationRow } from "../../store/tables.ts";
import type { Core } from "../core.ts";
import { ServiceError } from "../error.ts";

/** Keys of a provider as they are kept, encrypted; the secret key is forgotten when the integration is disconnected. */
const Keys = z.strictObject({ secretKey: z.string().nullable(), webhookSecret: z.string() });
export type IntegrationKeys = z.output<typeof Keys>;

/** Stands for a secret key that is forgotten: the provider refuses it, and notifications can still be proved. */
const FORGOTTEN = "forgotten";

const placeOf = (paymentIntegrationId: string): string => `payment_integrations/${paymentIntegrationId}`;

/** The form the store keeps keys in. */
export function sealKeys(
  { secrets }: Pick<Core, "secrets">,
  paymentIntegrationId: string,
  keys: IntegrationKeys,
): string {
  return secrets.encrypt(JSON.stringify(keys), placeOf(paymentIntegrationId));
}

/** Reverses {@link sealKeys}. */
export function openKeys({ secrets }: Pick<Core, "secrets">, row: PaymentIntegrationRow): IntegrationKeys | null {
  const { secrets: sealed, payment_integration_id: id } = row;
  return sealed === null ? null : Keys.parse(JSON.parse(secrets.decrypt(sealed, placeOf(id))));
}

/** A way to an integration's provider, a disconnected one's too; null where there is none. */
export function gatewayOf(core: Core, row: PaymentIntegrationRow): PaymentGateway | null {
  const keys = openKeys(core, row);
  try {
    const gateway = core.payments?.({
      tenantId: row.tenant_id,
      provider: row.provider,
      keys: keys === null ? null : { ...keys, secretKey: keys.secretKey ?? FORGOTTEN },
      apiBase: row.api_base,
    });
    return gateway ?? null;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    core.log.error({ err: error, paymentIntegrationId: row.payment_integration_id }, "an integration cannot be used");
    return null;
  }
}

/** The same for one that new links are made with. Throws `integration_unavailable`. */
export function readyGatewayOf(core: Core, row: PaymentIntegrationRow): PaymentGateway {
  const gateway = row.status === "connected" ? gatewayOf(core, row) : null;
  if (gateway !== null) return gateway;
  throw new ServiceError(
    "integration_unavailable",
    "The payments integration is not ready. A workspace admin can reconnect it.",
  );
}

/**
 * The integration that a link is withdrawn with: its own while that is connected, else a connected one of the same
 * account, as after its keys were changed.
 */
export function integrationFor(
  own: PaymentIntegrationRow,
  all: readonly PaymentIntegrationRow[],
): PaymentIntegrationRow | undefined {
  if (own.status === "connected") return own;
  return all.find(
    ({ status, provider, account }) =>
      status === "connected" && provider === own.provider && account !== null && account === own.account,
  );
}
