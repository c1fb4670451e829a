import type { Migration } from "kysely/migration";

/** Every migration in order, loaded where one is to be run. A landed one is never edited: what changes later is a new file. */
const MIGRATIONS: Readonly<Record<string, () => Promise<Migration>>> = {
  "001-receivables": () => import("./001-receivables.ts"),
  "002-idempotency": () => import("./002-idempotency.ts"),
  "003-collecting": () => import("./003-collecting.ts"),
  "004-list-indexes": () => import("./004-list-indexes.ts"),
  "005-aging-rollup": () => import("./005-aging-rollup.ts"),
  "006-issuers": () => import("./006-issuers.ts"),
  "007-step-up": () => import("./007-step-up.ts"),
  "008-invitations": () => import("./008-invitations.ts"),
  "009-covering-indexes": () => import("./009-covering-indexes.ts"),
  "010-waiting-receipts": () => import("./010-waiting-receipts.ts"),
  "011-erp-invoice-ids": () => import("./011-erp-invoice-ids.ts"),
  "012-reread-moved-invoices": () => import("./012-reread-moved-invoices.ts"),
  "013-stamps-in-commit-order": () => import("./013-stamps-in-commit-order.ts"),
  "014-fold-final-sigma": () => import("./014-fold-final-sigma.ts"),
  "015-clients-of-connections": () => import("./015-clients-of-connections.ts"),
  "016-workflow-queue-age": () => import("./016-workflow-queue-age.ts"),
  "017-beside-the-straight-way": () => import("./017-beside-the-straight-way.ts"),
  "018-customer-and-idempotency-keys": () => import("./018-customer-and-idempotency-keys.ts"),
  "019-events-problem": () => import("./019-events-problem.ts"),
  "020-one-message-a-day": () => import("./020-one-message-a-day.ts"),
  "021-assistant-permissions": () => import("./021-assistant-permissions.ts"),
  "022-address-reach": () => import("./022-address-reach.ts"),
  "023-sign-in-limits": () => import("./023-sign-in-limits.ts"),
  "024-links-of-connection": () => import("./024-links-of-connection.ts"),
  "025-previous-use": () => import("./025-previous-use.ts"),
  "026-balance-read-at": () => import("./026-balance-read-at.ts"),
  "027-emails-cancelled-with-workflow": () => import("./027-emails-cancelled-with-workflow.ts"),
  "028-shared-work": () => import("./028-shared-work.ts"),
  "029-claims-by-index": () => import("./029-claims-by-index.ts"),
  "030-one-way-of-work": () => import("./030-one-way-of-work.ts"),
  "031-links-as-work": () => import("./031-links-as-work.ts"),
  "032-receipts-as-work": () => import("./032-receipts-as-work.ts"),
  "033-runs-as-work": () => import("./033-runs-as-work.ts"),
  "034-link-emails": () => import("./034-link-emails.ts"),
  "035-event-readings-as-work": () => import("./035-event-readings-as-work.ts"),
  "036-backlog-by-index": () => import("./036-backlog-by-index.ts"),
  "037-aging-filters": () => import("./037-aging-filters.ts"),
};

/** The names of all migrations, in order. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

/** All migrations by name, as Kysely's migrator takes them. */
export async function loadMigrations(): Promise<Record<string, Migration>> {
  const loaded = Object.entries(MIGRATIONS).map(async ([name, load]) => [name, await load()] as const);
  return Object.fromEntries(await Promise.all(loaded));
}
