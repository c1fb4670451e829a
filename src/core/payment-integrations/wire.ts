import type { z } from "zod";
import type { PaymentIntegrationRow } from "../../store/tables/payments.ts";
import type { Core } from "../gate/dependencies.ts";
import { livemodeOf } from "./gateway-access.ts";
import type { PaymentIntegration } from "./schema.ts";

/** What callers see of an integration. Money counts as real where nothing tells that it is not. */
export function integrationOnWire(core: Core, row: PaymentIntegrationRow): z.output<typeof PaymentIntegration> {
  const { payment_integration_id: id, provider, status, currencies, created_at } = row;
  const livemode = livemodeOf(core, row) ?? true;
  return { id, provider, status, currencies: currencies.split(" "), created_at, livemode };
}
