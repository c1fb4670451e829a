import { sql } from "kysely";
import { addRoutes, ofTenantAt } from "../../store/identity/tenant-routes.ts";
import { type Shards, tenantsWith } from "../../store/shards.ts";
import type { Transaction } from "../../store/store.ts";
import type { PaymentIntegrationRow } from "../../store/tables/payments.ts";
import type { WorkKind } from "../../store/work-queue.ts";
import { MOST_ENDED } from "../gate/ended-access.ts";
import { formatStored } from "../kernel/money.ts";

/**
 * A tenant's connected integrations, `named` ones and the newest {@link MOST_ENDED} others, oldest first. Connecting again has no
 * end; none that was forgotten goes before one that was not.
 */
export function integrationsOf(tx: Transaction, tenantId: string, named: readonly (string | undefined)[] = []) {
  return oldestFirst(tx, tenantId)
    .where(
      sql<boolean>`(status = 'connected' or payment_integration_id = any(${named.filter((id) => id)}::uuid[])
        or payment_integration_id in (select payment_integration_id from payment_integrations
          where tenant_id = ${tenantId} and status <> 'connected'
          order by forgotten_at is not null, created_at desc, payment_integration_id limit ${MOST_ENDED}))`,
    )
    .execute();
}

/** All that a tenant ever had of the account of one. */
export function allOfAccount(tx: Transaction, { tenant_id, provider, account }: PaymentIntegrationRow) {
  return oldestFirst(tx, tenant_id).where("provider", "=", provider).where("account", "=", account).execute();
}

function oldestFirst(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("payment_integrations")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .orderBy("created_at")
    .orderBy("payment_integration_id");
}

/** By name, for the list is prepared: a next version may add columns while this one runs. */
const COLUMNS = [
  ...(["tenant_id", "payment_integration_id", "provider", "status", "currencies", "created_at", "secrets"] as const),
  ...(["api_base", "account", "livemode", "forgotten_at", "events_read_to", "events_problem"] as const),
  ...(["claim_id", "lease_expires_at", "attempts", "next_attempt_at"] as const),
] as const;

/** A tenant's integrations, unordered, for a list. */
export function integrationsQuery(tx: Transaction, tenantId: string) {
  return tx.selectFrom("payment_integrations").select(COLUMNS).where("tenant_id", "=", tenantId);
}

/** Integrations of a workspace that a notification is tried with. Each costs time, and connecting again has no end. */
const MOST_TRIED = 10;

/**
 * The integrations of a provider in one workspace that a notification may be of, by the id of one of them or the workspace's: that
 * one, the connected one and the newest others, none that was forgotten before one that was not; for the directory.
 */
export async function findIntegrations(tx: Transaction, provider: PaymentIntegrationRow["provider"], id: string) {
  const named = await ofTenantAt(tx, { kind: "payment_integration", key: id }, async (tenantId) => {
    const own = (row: PaymentIntegrationRow) => row.payment_integration_id === id;
    const tried = await integrationsAt(tx, provider, tenantId, id);
    return tried.some(own) ? tried : undefined;
  });
  return named ?? integrationsAt(tx, provider, id);
}

function integrationsAt(
  tx: Transaction,
  provider: PaymentIntegrationRow["provider"],
  tenantId: string,
  named = tenantId,
) {
  return tx
    .selectFrom("payment_integrations")
    .selectAll()
    .where((column) => column.and({ provider, tenant_id: tenantId }))
    .orderBy((column) => column("payment_integration_id", "!=", named))
    .orderBy((column) => column("forgotten_at", "is not", null))
    .orderBy("status")
    .orderBy("created_at", "desc")
    .orderBy("payment_integration_id")
    .limit(MOST_TRIED)
    .execute();
}

/** How many links of an integration customers can still pay, and what they ask for: an amount for each currency. */
export async function unpaidLinksOf(
  tx: Transaction,
  { tenant_id, payment_integration_id }: Pick<PaymentIntegrationRow, "tenant_id" | "payment_integration_id">,
) {
  const rows = await tx
    .selectFrom("payment_links")
    .select(({ fn }) => ["currency", fn.countAll<string>().as("links"), fn.sum<string>("amount").as("total")])
    .where((column) => column.and({ tenant_id, payment_integration_id }))
    .where((eb) => eb.or([eb("state", "in", ["active", "reserved"]), eb("withdrawal_due", "=", true)]))
    .where("paid_at", "is", null)
    .groupBy("currency")
    .orderBy("currency")
    .execute();
  return {
    count: rows.reduce((total, { links }) => total + Number(links), 0),
    amounts: rows.map(({ total, currency }) => `${formatStored(total, currency)} ${currency}`).join(", "),
  };
}

export async function insertIntegration(tx: Transaction, row: PaymentIntegrationRow) {
  await addRoutes(tx, row.tenant_id, [{ kind: "payment_integration", key: row.payment_integration_id }]);
  await tx.insertInto("payment_integrations").values(row).execute();
}

/** Changes an integration. */
export async function updateIntegration(
  tx: Transaction,
  { tenantId, paymentIntegrationId }: { tenantId: string; paymentIntegrationId: string },
  set: Partial<Omit<PaymentIntegrationRow, "tenant_id" | "payment_integration_id">>,
) {
  await tx
    .updateTable("payment_integrations")
    .set(set)
    .where((column) => column.and({ tenant_id: tenantId, payment_integration_id: paymentIntegrationId }))
    .execute();
}

/** The providers' lists of events that are read. */
export const EVENT_READINGS: WorkKind<"payment_integrations"> = {
  table: "payment_integrations",
  isWork: sql`(status = 'connected' and forgotten_at is null and next_attempt_at is not null)`,
};

const HAS_EVENTS = sql`status = 'connected' and provider <> 'sandbox' and forgotten_at is null`;

/** The tenants with a connected integration that has a list of events. */
export function tenantsWithEvents(tx: Transaction, shards: Shards) {
  return tenantsWith(tx, shards, "payment_integrations", HAS_EVENTS);
}

/**
 * Has the events of every such integration of a tenant read from `now` on. `unlease` gives back what processes that are gone have
 * claimed.
 */
export async function makeReadingsDue(
  tx: Transaction,
  { now, tenantId, unlease }: { now: string; tenantId: string; unlease: boolean },
) {
  await sql`
    update payment_integrations set next_attempt_at = least(coalesce(next_attempt_at, ${now}), ${now}),
      claim_id = case when ${unlease} then null else claim_id end,
      lease_expires_at = case when ${unlease} then null else lease_expires_at end
    where tenant_id = ${tenantId} and ${HAS_EVENTS}`.execute(tx);
}
