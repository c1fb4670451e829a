import { z } from "zod";
import type { PaymentIntegrationRow } from "../../store/tables/payments.ts";
import { Instant, nameSchemas, Uuid } from "../kernel/wire-types.ts";

/** completions §4. */
export const PaymentIntegration = z.strictObject({
  id: Uuid,
  provider: z.enum(["stripe", "sandbox"]),
  status: z.enum(["connected", "disconnected"]),
  currencies: z.array(z.string().length(3)).describe("ISO 4217"),
  created_at: Instant,
  livemode: z.boolean().describe("Real money"),
});
nameSchemas({
  PaymentIntegration,
  PaymentIntegrationStatus: PaymentIntegration.shape.status,
  PaymentProvider: PaymentIntegration.shape.provider,
});

/** What callers see of an integration. Money counts as real where nothing tells that it is not. */
export function integrationOnWire(row: PaymentIntegrationRow) {
  const { payment_integration_id: id, provider, status, currencies, created_at } = row;
  const livemode = row.livemode ?? true;
  return { id, provider, status, currencies, created_at, livemode };
}

/** The providers as people know them. */
export const PROVIDER_NAMES: Readonly<Record<z.output<typeof PaymentIntegration>["provider"], string>> = {
  stripe: "Stripe",
  sandbox: "Sandbox",
};
