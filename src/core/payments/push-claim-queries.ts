import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { PaymentRow } from "../../store/tables.ts";

/** The line of one ERP, in which the receipts wait that it is to be told of one after the other. */
export interface PushLine {
  readonly tenant_id: string;
  readonly connection_id: string;
}

/** A push that a worker has claimed; `claim` is new each time. */
export type ClaimedPush = Pick<PaymentRow, "tenant_id" | "payment_id" | "invoice_id"> & { readonly claim: string };

/** A lease to claim under. A time beyond `farthest` counts as passed: a clock was wrong then. */
export interface PushLease {
  readonly claim: string;
  readonly now: string;
  readonly leaseUntil: string;
  readonly farthest: string;
}

/** Nothing comes before it. */
const FIRST: PushLine = {
  tenant_id: "00000000-0000-0000-0000-000000000000",
  connection_id: "00000000-0000-0000-0000-000000000000",
};

/** Lines looked at together. Where other workers are claiming in all of them, the first is waited for. */
const LINES_AT_ONCE = 2;

/** As the index of the lines has it. */
const waits = sql`(payment.erp_push_status in ('pending', 'processing') or payment.push_retryable) and not payment.push_put_off`;
const since = sql`coalesce(payment.push_next_attempt_at, payment.created_at)`;
const place = sql`payment.tenant_id, payment.connection_id`;

/**
 * The next line after a given one, of any tenant, in which a push is due, nobody is at work and whose ERP is connected; held until
 * the transaction ends. What is looked at is one place in an index for each line, however many wait in it.
 */
export async function holdNextLine(
  tx: Transaction,
  after: PushLine | null,
  lease: PushLease,
): Promise<PushLine | undefined> {
  const { now, farthest } = lease;
  const next = (from: RawBuilder<unknown>) => sql`
    select ${place}, ${since} as since from payments as payment
    where ${waits} and (${place}) > (${from}) order by ${place}, ${since} limit 1`;
  const { tenant_id, connection_id } = after ?? FIRST;
  const { rows } = await sql<PushLine & { held: boolean }>`
    with recursive line as (
      select * from (${next(sql`${tenant_id}::uuid, ${connection_id}::uuid`)}) as first
      union all
      select next.* from line cross join lateral (${next(sql`line.tenant_id, line.connection_id`)}) as next
    ), ready as materialized (
      select line.tenant_id, line.connection_id from line
      where (line.since <= ${now} or (
          select ${since} from payments as payment
          where ${waits} and (${place}) = (line.tenant_id, line.connection_id)
          order by ${since} desc limit 1) > ${farthest})
        and (
          select connection.status <> 'disconnected' and connection.credential is not null
          from erp_connections as connection
          where (connection.tenant_id, connection.connection_id) = (line.tenant_id, line.connection_id))
        and not ${isBusy(sql`line.tenant_id, line.connection_id`, lease)}
      limit ${LINES_AT_ONCE}
    )
    select * from (
      select ready.*, true as held from ready
      where pg_try_advisory_xact_lock(hashtextextended('receipts of ' || ready.connection_id, 0)) limit 1) as free
    union all
    select ready.*, false from ready limit 1`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { held, ...line } = row;
  if (!held)
    await sql`select pg_advisory_xact_lock(hashtextextended(${`receipts of ${line.connection_id}`}, 0))`.execute(tx);
  return line;
}

/**
 * Claims the push of a held line that has been due longest; undefined when somebody was sooner. In a statement after the one that
 * holds the line, which sees what was claimed before.
 */
export async function claimFirstOf(
  tx: Transaction,
  line: PushLine,
  lease: PushLease,
): Promise<ClaimedPush | undefined> {
  const { claim, now, leaseUntil, farthest } = lease;
  const own = sql`${line.tenant_id}::uuid, ${line.connection_id}::uuid`;
  const first = (isDue: RawBuilder<unknown>) => sql`
    select * from (
      select payment.tenant_id, payment.payment_id from payments as payment
      where ${waits} and (${place}) = (${own}) and ${isDue} and not ${isBusy(own, lease)}
      order by ${since}, payment.payment_id limit 1 for update skip locked) as due`;
  const { rows } = await sql<Omit<ClaimedPush, "claim">>`
    update payments as payment set push_worker_id = ${claim}, push_lease_expires_at = ${leaseUntil}
    from (${first(sql`${since} <= ${now}`)} union all ${first(sql`${since} > ${farthest}`)} limit 1) as taken
    where payment.tenant_id = taken.tenant_id and payment.payment_id = taken.payment_id
    returning payment.tenant_id, payment.payment_id, payment.invoice_id`.execute(tx);
  const [row] = rows;
  return row === undefined ? undefined : { ...row, claim };
}

/** Whether a worker is telling an ERP of a receipt. */
const isBusy = (line: RawBuilder<unknown>, { now, farthest }: PushLease) => sql`exists (
  select from payments as payment
  where (${place}) = (${line}) and payment.push_lease_expires_at > ${now} and payment.push_lease_expires_at <= ${farthest})`;
