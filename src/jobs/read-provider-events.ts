import { claimWork, retrySoon } from "../core/gate/claims.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { type Reading, readClaimedEvents, requestEventReading } from "../core/payments/events/read-events.ts";
import { EVENT_READINGS } from "../core/provider-access/integration-queries.ts";
import { workOff } from "./work-off.ts";

/** Longer than it takes to read a page of events and take one in, however slow the provider is. */
const LEASE_MS = 2 * 60_000;

interface ReadOptions {
  /** One workspace's only. */
  readonly tenantId?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the lists of events that are due on from where they were read to (completions §12), one after another, until none is
 * or `signal` says stop. Several processes share the work.
 */
export async function readProviderEvents(core: Core, { tenantId, signal }: ReadOptions = {}): Promise<Reading[]> {
  const readings: Reading[] = [];
  await workOff(core, {
    event: "payment.events",
    stop: signal,
    claim: (turn) => claimWork(core, EVENT_READINGS, { limit: 1, leaseMs: LEASE_MS, turn, tenantId }),
    work: async (claim) => readings.push(await readClaimedEvents(core, claim, { leaseMs: LEASE_MS, signal })),
    retry: (claim) => retrySoon(core, "payment_integrations", claim),
    fieldsOf: ({ tenant_id, payment_integration_id: paymentIntegrationId }) => ({
      tenantId: tenant_id,
      paymentIntegrationId,
    }),
  });
  return readings;
}

/** The same for one workspace, whose lists are read now. */
export async function readProviderEventsNow(core: Core, tenantId: string, signal?: AbortSignal): Promise<Reading[]> {
  await requestEventReading(core, { tenantId });
  return readProviderEvents(core, { tenantId, signal });
}
