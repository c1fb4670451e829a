import { PaymentProviderError } from "../../gateways/payments/error.ts";
import type { PaymentGateway, ProviderAccount } from "../../gateways/payments/gateway.ts";
import type { Core, ProviderAccess } from "../gate/dependencies.ts";
import { ServiceError } from "../gate/error.ts";

/**
 * Asks a provider whose account the keys are and whether it may charge the currencies; answers the provider's name for
 * the account, and whether real money moves. Throws `validation_failed` for keys it refuses, `currency_not_supported`, and `integration_unavailable`.
 */
export async function checkAccount(
  core: Core,
  access: ProviderAccess,
  currencies: readonly string[],
): Promise<{ account: string | null; livemode: boolean | null }> {
  // A core without a way to any provider still keeps books: the sandbox then only says what counts as collectible.
  if (core.payments === undefined && access.provider === "sandbox") return { account: null, livemode: false };
  const { gateway, account } = await ask(core, access);
  if (!account.chargesEnabled)
    throw new ServiceError("integration_unavailable", "The provider does not let this account charge yet.");
  const refused = currencies.filter(
    (code) => gateway.chargeStep(code) === null || account.currencies?.includes(code) === false,
  );
  if (refused.length === 0) return { account: account.accountId, livemode: account.livemode };
  throw new ServiceError("currency_not_supported", `The account cannot charge ${refused.join(", ")}.`, {
    details: [{ field: "currencies", message: `cannot be charged: ${refused.join(", ")}` }],
  });
}

const SANDBOX_ONLY =
  "The sandbox is there in the demo only: start the service with DEMO=on, or connect Stripe with a test key.";

async function ask(core: Core, access: ProviderAccess): Promise<{ gateway: PaymentGateway; account: ProviderAccount }> {
  try {
    const gateway = core.payments?.(access) ?? null;
    if (gateway === null)
      throw new ServiceError(
        "integration_unavailable",
        access.provider === "sandbox" ? SANDBOX_ONLY : "The service has no way to this provider here.",
      );
    return { gateway, account: await gateway.checkAccount() };
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    const { kind, publicMessage, message: internal } = error;
    if (kind !== "authentication_failed")
      throw new ServiceError("integration_unavailable", publicMessage, { internal, cause: error });
    throw new ServiceError("validation_failed", publicMessage, {
      details: [{ field: "secretKey", message: publicMessage }],
      internal,
      cause: error,
    });
  }
}
