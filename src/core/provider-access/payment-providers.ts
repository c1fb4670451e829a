import { sandboxPayments } from "../../gateways/payments/sandbox/index.ts";
import { stripePayments } from "../../gateways/payments/stripe/index.ts";
import type { PaymentProviders } from "../gate/dependencies.ts";
import type { Clock } from "../kernel/calendar.ts";
import type { Secrets } from "../kernel/secrets.ts";

interface ProvidersOptions {
  secrets: Secrets;
  clock: Clock;
  /** `{base_url}` of the sandbox's pay pages; null where there is no sandbox. */
  sandboxAt: string | null;
  /** How long a provider may take to answer, and how often it is asked again; the connector's own when left out. */
  patience?: { readonly timeoutMs: number; readonly maxNetworkRetries: number };
}

/** A way to each provider there is a connector for. */
export function paymentProviders({ secrets, clock, sandboxAt, patience }: ProvidersOptions): PaymentProviders {
  return ({ provider, tenantId, keys, apiBase }) => {
    if (provider === "sandbox")
      return sandboxAt === null ? null : sandboxPayments({ baseUrl: sandboxAt, tenantId, seals: secrets });
    if (keys === null) return null;
    const at = apiBase === null ? {} : { apiBase };
    return stripePayments({ ...keys, ...at, ...patience, now: () => clock.now() });
  };
}
