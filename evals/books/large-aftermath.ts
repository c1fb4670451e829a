import { sql } from "kysely";
import type { Store } from "../../src/store/store.ts";
import { everyRow } from "../../test/support/every-row.ts";
import type { LedgerPlace } from "./large-ledger.ts";

/** Who and what the rows of {@link writeAftermath} speak of. */
interface Cast extends LedgerPlace {
  readonly timezone: string;
  /** The member whose tasks they are. */
  readonly memberId: string;
  readonly connections: readonly [string, string];
}

/**
 * Writes what comes of jobs, an ERP and mail servers: receipts in every state, mails of links (some for tomorrow), tasks,
 * workflow executions and sync runs.
 */
export async function writeAftermath(store: Store, cast: Cast): Promise<void> {
  await everyRow(store, async (tx) => {
    for (const statement of [receipts(cast), ...mails(cast), ...workflows(cast), runs(cast)])
      await statement.execute(tx);
  });
}

/** Of the receipts that are not held: six failed, two reversed, three posted, four pending, the others applied. */
function receipts({ tenantId }: Cast) {
  return sql`
    with told as (
      select payment_id, invoice_id, row_number() over (order by created_at, payment_id) as nth, count(*) over () as all_of_them
      from payments where tenant_id = ${tenantId} and erp_push_status = 'pending'
    ), decided as (
      select payment_id, invoice_id, nth, case when nth <= 6 then 'failed' when nth <= 8 then 'reversed' when nth <= 11 then 'posted'
        when nth > all_of_them - 4 then 'pending' else 'applied' end as status from told
    ), pushed as (
      update payments set erp_push_status = status,
        erp_push_error = case status when 'failed' then '{"code": "closed_period", "erp": "The period is closed."}'::jsonb
          when 'posted' then '{"code": "no_success"}' end,
        erp_receipt_number = case when status in ('reversed', 'posted', 'applied') then 'PAY-' || lpad(nth::text, 8, '0') end,
        applied_at = case when status = 'applied' then confirmed_at end,
        disputed = nth % 29 = 0, refunded_minor = case when nth % 23 = 0 then 500 else 0 end
      from decided where tenant_id = ${tenantId} and payments.payment_id = decided.payment_id
    )
    update invoices set erp_push_state = status from decided
    where tenant_id = ${tenantId} and invoices.invoice_id = decided.invoice_id`;
}

/**
 * Of the active links: 40 mails are scheduled, twenty of them for tomorrow from its first moment to its last, one for the
 * moment before and one for the moment after; two failed, one was cancelled, five sent.
 */
function mails({ tenantId, timezone, today }: Cast) {
  const at = (days: string, time: string) =>
    sql`((${today}::date + ${sql.raw(days)} + ${sql.lit(time)}::interval) at time zone ${timezone})`;
  return [
    sql`insert into link_emails (tenant_id, payment_link_id, status, failure, recipient, send_at, sent_at)
      select ${tenantId}, payment_link_id, status, case when status = 'failed' then 'rejected' end, 'ap@customers.example',
        case when nth = 1 then ${at("1", "0")} when nth = 2 then ${at("1", "23:59:59.999")} when nth <= 20 then ${at("1", "9:00")}
          when nth = 21 then ${at("0", "23:59:59.999")} when nth = 22 then ${at("2", "0")}
          when status = 'scheduled' then ${at("nth::int - 20", "9:00")} else created_at end,
        case when status = 'sent' then created_at end
      from (
        select *, case when nth <= 40 then 'scheduled' when nth <= 42 then 'failed' when nth = 43 then 'cancelled' else 'sent' end as status
        from (
          select *, row_number() over (order by created_at, payment_link_id) as nth
          from payment_links where tenant_id = ${tenantId} and state = 'active'
        ) as numbered where nth <= 48
      ) as mailed`,
  ];
}

/** Both workflows; fifteen open tasks, three dismissed; executions that made nothing. */
function workflows({ tenantId, memberId }: Cast) {
  const workflow = (type: string) => sql`md5(${tenantId} || ${type})::uuid`;
  return [
    sql`insert into workflows (tenant_id, workflow_id, type, name, enabled, created_at, updated_at)
      values (${tenantId}, ${workflow("auto_generate")}, 'auto_generate', 'Auto Generate', true, now(), now()),
        (${tenantId}, ${workflow("payment_arrangement")}, 'payment_arrangement', 'Payment Arrangement', false, now(), now())`,
    sql`insert into tasks (tenant_id, task_id, type, invoice_id, assignee_id, state, dismissed_at, created_at)
      select ${tenantId}, md5('task' || invoice_id)::uuid, 'payment_arrangement', invoice_id, ${memberId},
        case when nth <= 15 then 'open' else 'dismissed' end, case when nth > 15 then now() end, now() - nth * interval '3 hours'
      from (
        select invoice_id, row_number() over (order by collection_outstanding desc, invoice_id) as nth
        from invoices where tenant_id = ${tenantId} and collection_status = 'open' and not has_active_payment_link
      ) as largest where nth <= 18`,
    sql`insert into workflow_executions (tenant_id, workflow_execution_id, workflow_id, invoice_id, status, outcome, reason,
        started_at, finished_at)
      select ${tenantId}, md5('execution' || invoice_id)::uuid, ${workflow("auto_generate")}, invoice_id, 'skipped', 'none',
        '{"code": "task_not_dismissed"}'::jsonb, created_at, created_at
      from tasks where tenant_id = ${tenantId} and state = 'open'`,
  ];
}

/** A run every hour of the last day on one connection; every seventh failed. */
function runs({ tenantId, connections: [connectionId] }: Cast) {
  return sql`insert into sync_runs (tenant_id, sync_run_id, connection_id, trigger, status, started_at, finished_at, read_through,
      invoices_read, invoices_created, invoices_updated, invoices_retired, error_code, error_reason)
    select ${tenantId}, md5(${tenantId} || '-run-' || n)::uuid, ${connectionId}, 'scheduled',
      case when n % 7 = 3 then 'failed' else 'succeeded' end, now() - n * interval '1 hour', now() - n * interval '59 minutes', 9e15,
      20000, n % 5, n * 3, n % 2, case when n % 7 = 3 then 'erp_unreachable' end,
      case when n % 7 = 3 then '{"code": "failing", "status": 503}'::jsonb end
    from generate_series(1, 24) as n`;
}
