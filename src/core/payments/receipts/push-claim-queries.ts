import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "../../../store/store.ts";
import type { PaymentRow } from "../../../store/tables/payments.ts";
import {
  type Claimed,
  claimOfLine,
  type Instants,
  type Lease,
  type Line,
  readyLines,
  type WorkKind,
} from "../../../store/work-queue.ts";

/** A push that a worker has claimed. */
export type ClaimedPush = Claimed<"payments"> & Pick<PaymentRow, "invoice_id"> & { claim_id: string };

/** Receipts, in the line of the ERP that is to be told of one after the other. */
export const RECEIPTS: WorkKind<"payments"> = {
  table: "payments",
  isWork: sql`((erp_push_status in ('pending', 'processing') or push_retryable) and not push_put_off)`,
  line: ["tenant_id", "connection_id"],
  readyAt: sql`coalesce(lease_expires_at, next_attempt_at, created_at)`,
};

/** Lines looked at together. Where other workers are claiming in all of them, the first is waited for. */
const LINES_AT_ONCE = 2;

/**
 * The next line after a given one, of any tenant, in which a push is due, nobody is at work and whose ERP is connected; held until
 * the transaction ends.
 */
export async function holdNextLine(tx: Transaction, after: Line | null, instants: Instants): Promise<Line | undefined> {
  const { rows } = await sql<{ tenant_id: string; connection_id: string; held: boolean }>`
    with recursive ${readyLines(RECEIPTS, after, instants)}, free as materialized (
      select line.tenant_id, line.connection_id from line
      where (
          select connection.status <> 'disconnected' and connection.credential is not null
          from erp_connections as connection
          where (connection.tenant_id, connection.connection_id) = (line.tenant_id, line.connection_id))
        and not ${isBusy(sql`line.tenant_id, line.connection_id`, instants)}
      limit ${LINES_AT_ONCE}
    )
    select * from (
      select free.*, true as held from free
      where pg_try_advisory_xact_lock(hashtextextended('receipts of ' || free.connection_id, 0)) limit 1) as held
    union all
    select free.*, false from free limit 1`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { held, ...line } = row;
  if (!held)
    await sql`select pg_advisory_xact_lock(hashtextextended(${`receipts of ${line.connection_id}`}, 0))`.execute(tx);
  return line;
}

/**
 * Claims the push of a held line that has been due longest; none when somebody was sooner. In a statement after the one that
 * holds the line, which sees what was claimed before.
 */
export async function claimFirstOf(tx: Transaction, line: Line, lease: Lease): Promise<ClaimedPush[]> {
  const own = sql`${line.tenant_id}::uuid, ${line.connection_id}::uuid`;
  const rows = await claimOfLine(tx, RECEIPTS, line, lease, { limit: 1, unless: isBusy(own, lease) });
  return rows.map((row) => ({ ...row, claim_id: lease.claimId }));
}

/** Whether a worker is telling an ERP of a receipt. */
const isBusy = (line: RawBuilder<unknown>, { now, farthest }: Instants) => sql`exists (
  select from payments as payment
  where (payment.tenant_id, payment.connection_id) = (${line})
    and payment.lease_expires_at > ${now} and payment.lease_expires_at <= ${farthest})`;
