import type { Core } from "../core/gate/dependencies.ts";
import { IDEMPOTENCY_KEY_LIFETIME_MS } from "../core/gate/idempotency.ts";
import { later } from "../core/gate/retry.ts";
import { workStep } from "../core/gate/work-step.ts";
import { releasePush } from "../core/payments/receipts/claimed-push.ts";
import { interruptEveryRun } from "../core/sync-runs/finish-run.ts";
import { KEEP_DAYS, type KeepDays } from "../settings.ts";
import { deleteExpired, deleteOldWindows, tenantsWithOldWindows } from "../store/expiry.ts";
import {
  deleteIdempotencyRecords,
  releaseIdempotencyRecords,
  tenantsWithHolds,
  tenantsWithOldRecords,
} from "../store/idempotency.ts";
import { type AgingTable, deleteOld, tenantsWithOld } from "../store/retention.ts";
import type { PostOffice } from "./send-mails.ts";

const WINDOWS_KEPT_MS = 60 * 60_000;
/** Wrong passwords are forgotten after a day, addresses that people signed in from after 90 (auth/sign-in.ts). */
const GUESSES_KEPT_MS = 24 * 60 * 60_000;
const ADDRESSES_KEPT_MS = 90 * GUESSES_KEPT_MS;

/** Removes what nobody can use any more, and gives the store its maintenance. */
export async function housekeep(core: Core): Promise<void> {
  await deleteOfDirectory(core);
  await deleteWindows(core, later(core, -WINDOWS_KEPT_MS));
  await deleteRecords(core, later(core, -IDEMPOTENCY_KEY_LIFETIME_MS));
  await core.store.maintain();
}

const deleteOfDirectory = workStep({
  in: "directory",
  run: async ({ tx, core, now }) => {
    const ago = (milliseconds: number): string => later(core, -milliseconds);
    await deleteExpired(tx, {
      now,
      windowsBefore: ago(WINDOWS_KEPT_MS),
      guessesBefore: ago(GUESSES_KEPT_MS),
      addressesBefore: ago(ADDRESSES_KEPT_MS),
    });
  },
});

const deleteWindows = workStep({
  name: "deleteOldWindows",
  find: ({ tx, shards }, before: string) => tenantsWithOldWindows(tx, shards, before),
  run: ({ tx, tenantId }, before: string) => deleteOldWindows(tx, tenantId, before),
});

const deleteRecords = workStep({
  name: "deleteIdempotencyRecords",
  find: ({ tx, shards }, before: string) => tenantsWithOldRecords(tx, shards, before),
  run: ({ tx, tenantId }, before: string) => deleteIdempotencyRecords(tx, tenantId, before),
});

/** Ends all holds. Only for the start of a service of one process: the requests that had them are gone. */
export const releaseEveryHold = workStep({
  name: "releaseEveryHold",
  find: ({ tx, shards }) => tenantsWithHolds(tx, shards),
  run: ({ tx, tenantId }) => releaseIdempotencyRecords(tx, tenantId),
});

/** Ends the pulls and pushes of a process that is gone. Only where this process is the only one, as on the embedded store. */
export async function endLeftovers(core: Core): Promise<void> {
  await interruptEveryRun(core);
  await releasePush(core, null);
}

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

const deleteSome = workStep({
  name: "prune",
  find: ({ tx, shards }, table: AgingTable, before: string) => tenantsWithOld(tx, shards, table, before),
  run: ({ tx, tenantId }, table: AgingTable, before: string) =>
    deleteOld(tx, tenantId, { table, before, limit: AT_ONCE }),
});
