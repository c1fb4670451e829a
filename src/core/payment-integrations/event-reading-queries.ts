import { sql } from "kysely";
import { dueRows } from "../../store/due-rows.ts";
import type { Transaction } from "../../store/store.ts";
import type { PaymentIntegrationRow } from "../../store/tables/payments.ts";

/** An integration whose events a worker has claimed to read, and its lease. */
export interface ClaimedReading {
  readonly tenantId: string;
  readonly paymentIntegrationId: string;
  /** Changes with each renewal: a worker with an older value has lost the claim. */
  leaseUntil: string;
}

const READINGS = {
  table: "payment_integrations",
  key: ["tenant_id", "payment_integration_id"],
  time: "events_due_at",
  ties: ["payment_integration_id"],
};

/**
 * Claims the integration whose events have been due longest, of any tenant; null when none is due. Rows locked by another
 * worker are skipped. A time beyond `farthest` came from a wrong clock and counts as due. For a system transaction.
 */
export async function claimReading(
  tx: Transaction,
  {
    now,
    leaseUntil,
    farthest,
    tenantId = null,
  }: { now: string; leaseUntil: string; farthest: string; tenantId?: string | null },
): Promise<ClaimedReading | null> {
  const { rows } = await sql<Pick<PaymentIntegrationRow, "tenant_id" | "payment_integration_id">>`
    update payment_integrations as integration set events_lease_expires_at = ${leaseUntil}
    from (${dueRows(
      {
        ...READINGS,
        where: sql`status = 'connected' and forgotten_at is null
          and (events_lease_expires_at is null or events_lease_expires_at <= ${now}
            or events_lease_expires_at > ${farthest})
          and (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)`,
      },
      { now, farthest },
      1,
    )}) as due
    where integration.tenant_id = due.tenant_id and integration.payment_integration_id = due.payment_integration_id
    returning integration.tenant_id, integration.payment_integration_id`.execute(tx);
  const [row] = rows;
  if (row === undefined) return null;
  return { tenantId: row.tenant_id, paymentIntegrationId: row.payment_integration_id, leaseUntil };
}

/** Writes to a claimed integration; false when the claim was lost, and then nothing is written. */
export async function updateClaimedReading(
  tx: Transaction,
  { tenantId, paymentIntegrationId, leaseUntil }: ClaimedReading,
  set: Partial<
    Pick<
      PaymentIntegrationRow,
      "events_read_to" | "events_due_at" | "events_lease_expires_at" | "events_problem" | "livemode"
    >
  >,
): Promise<boolean> {
  const row = await tx
    .updateTable("payment_integrations")
    .set(set)
    .where("tenant_id", "=", tenantId)
    .where("payment_integration_id", "=", paymentIntegrationId)
    .where("events_lease_expires_at", "=", leaseUntil)
    .where("status", "=", "connected")
    .returning("payment_integration_id")
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Makes the events of every connected integration of all tenants, or of one, due to be read now. `unlease` ends the claims of
 * processes that are gone. For a system transaction.
 */
export async function makeReadingsDue(
  tx: Transaction,
  { now, tenantId = null, unlease = false }: { now: string; tenantId?: string | null; unlease?: boolean },
): Promise<void> {
  await sql`
    update payment_integrations set events_due_at = least(coalesce(events_due_at, ${now}), ${now}),
      events_lease_expires_at = case when ${unlease} then null else events_lease_expires_at end
    where status = 'connected' and provider <> 'sandbox' and forgotten_at is null
      and (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)`.execute(tx);
}
