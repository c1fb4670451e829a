import type { Core } from "../core/gate/core.ts";
import { type Reading, readDueEvents } from "../core/payments/events/read-events.ts";

/** Longer than it takes to read a page of events and take one in, whatever the provider does. */
const LEASE_MS = 2 * 60_000;

interface ReadOptions {
  /** One workspace's alone. */
  readonly tenantId?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the lists of events that are due on from where they were read to (completions §12), one after another, until none is
 * or `signal` says stop. Several processes share the work.
 */
export async function readProviderEvents(core: Core, options: ReadOptions = {}): Promise<Reading[]> {
  const readings: Reading[] = [];
  while (options.signal?.aborted !== true) {
    const reading = await readDueEvents(core, { leaseMs: LEASE_MS, ...options });
    if (reading === null) break;
    readings.push(reading);
  }
  return readings;
}
