import type { z } from "zod";
import type { PaymentIntegrationRow } from "../../store/tables.ts";
import type { Core } from "../core.ts";
import { livemodeOf } from "./gateway-access.ts";
import type { PaymentIntegration } from "./schema.ts";

/** What callers see of an integration. Money counts as real where nothing tells that it is not. */
export function integrationOnWire(core: Core, row: PaymentIntegrationRow): z.output<typeof PaymentIntegration> {
  const { payment_integration_id: id, provider, status, currencies, created_at } = row;
  const livemode = livemodeOf(core, row) ?? true;
  return { id, provider, status, currencies: currencies.split(" "), created_at, livemode };
}

/** A payment integration as operators see it: the fields of completions §4, and how its events are read. */
export interface OperatorIntegration extends z.output<typeof PaymentIntegration> {
  /** The provider's list of events was read up to here; null while it was not. */
  readonly events_read_to: string | null;
  /** Why that list could not be read the last time. */
  readonly events_problem: string | null;
  /** Since then nothing of it vouches for a payment. */
  readonly forgotten_at: string | null;
}

export function asOperatorIntegration(core: Core, row: PaymentIntegrationRow): OperatorIntegration {
  const { events_read_to, events_problem, forgotten_at } = row;
  return { ...integrationOnWire(core, row), events_read_to, events_problem, forgotten_at };
}
