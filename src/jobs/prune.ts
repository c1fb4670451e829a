import type { Core } from "../core/gate/dependencies.ts";
import { later } from "../core/gate/retry.ts";
import { inEachTenant } from "../core/gate/work-step.ts";
import { KEEP_DAYS, type KeepDays } from "../settings.ts";
import { type AgingTable, deleteOld, tenantsWithOld } from "../store/retention.ts";
import type { PostOffice } from "./send-mails.ts";

const DAY_MS = 24 * 60 * 60_000;
const RUNS_KEPT_DAYS = 90;
/** Rows of one transaction. */
const AT_ONCE = 1_000;

interface Pruning {
  readonly keepDays?: KeepDays;
  readonly office?: PostOffice | null;
}

/**
 * Deletes what is older than it has to be kept, in batches, until `stop` is aborted: sync runs, mails, executions and audit entries.
 * What figures or decisions come from stays. Answers how many rows were deleted.
 */
export async function prune(
  core: Core,
  stop: AbortSignal,
  { keepDays = KEEP_DAYS, office = null }: Pruning = {},
): Promise<number> {
  const { mails, executions, audit } = keepDays;
  let deleted = 0;
  for (const [table, days] of [
    ["sync_runs", RUNS_KEPT_DAYS],
    ["outgoing_mails", mails],
    ["workflow_executions", executions],
    ["audit_entries", audit],
  ] as const) {
    const before = later(core, -days * DAY_MS);
    while (!stop.aborted) {
      const some = await deleteSome(core, table, before);
      deleted += some.reduce((total, one) => total + one, 0);
      if (some.every((one) => one < AT_ONCE)) break;
    }
  }
  if (!stop.aborted) await office?.mailer.deleteOld?.(later(core, -mails * DAY_MS));
  return deleted;
}

const deleteSome = inEachTenant({
  name: "prune",
  find: ({ tx, shards }, table: AgingTable, before: string) => tenantsWithOld(tx, shards, table, before),
  act: ({ tx, tenantId }, table: AgingTable, before: string) =>
    deleteOld(tx, tenantId, { table, before, limit: AT_ONCE }),
});
