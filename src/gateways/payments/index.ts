import type { PaymentGateway } from "./gateway.ts";
import { type SandboxSettings, sandboxPayments } from "./sandbox/index.ts";
import { type StripeSettings, stripePayments } from "./stripe/index.ts";

/** What it takes to speak to each provider. */
type PaymentSettings =
  | ({ readonly provider: "stripe" } & StripeSettings)
  | ({ readonly provider: "sandbox" } & SandboxSettings);

/** The connector of a provider. Nothing is sent yet; throws a PaymentProviderError for settings that cannot be used. */
export function connectPayments(settings: PaymentSettings): PaymentGateway {
  return settings.provider === "stripe" ? stripePayments(settings) : sandboxPayments(settings);
}
