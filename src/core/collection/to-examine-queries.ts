import { sql } from "kysely";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { Claimed, WorkKind } from "../../store/work-queue.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";

/** In the past, so that the row is due at once. */
const AT_ONCE = "1970-01-01T00:00:00.000Z";

/**
 * Queues those of some invoices that are `open` for the enabled workflows, in the transaction that changed them. It holds the
 * tenant's row (`lockChargeableCurrencies`), so that a workflow being enabled waits, and then queues all open invoices.
 */
export async function queueInvoices(
  tx: Transaction,
  core: Pick<Core, "clock">,
  tenantId: string,
  invoiceIds: readonly string[],
) {
  if (invoiceIds.length === 0) return;
  await queue(tx, core, tenantId, sql`invoice.invoice_id = ${anyOf(invoiceIds, "uuid")}`);
}

/** The same for every open invoice of a tenant, or only those of an ERP connection or a customer. */
export function queueOpenInvoices(
  tx: Transaction,
  core: Pick<Core, "clock">,
  tenantId: string,
  only?: readonly [column: "connection_id" | "customer_id", id: string],
) {
  const which = only === undefined ? sql`true` : sql`${sql.ref(`invoice.${only[0]}`)} = ${only[1]}`;
  return queue(tx, core, tenantId, which);
}

async function queue(tx: Transaction, core: Pick<Core, "clock">, tenantId: string, which: ReturnType<typeof sql>) {
  // In the order of their ids, so that two transactions with the same invoices do not deadlock.
  await sql`insert into workflow_work (tenant_id, invoice_id, next_attempt_at, queued_at)
    select invoice.tenant_id, invoice.invoice_id, ${AT_ONCE}::timestamptz, ${nowOf(core)}::timestamptz
    from invoices as invoice
    where invoice.tenant_id = ${tenantId} and ${which} and invoice.collection_status = 'open'
      and exists (select 1 from workflows where workflows.tenant_id = ${tenantId} and workflows.enabled)
    order by invoice.invoice_id
    on conflict (tenant_id, invoice_id) do update
      set next_attempt_at = excluded.next_attempt_at, attempts = 0, claim_id = null, lease_expires_at = null,
        queued_at = case when workflow_work.next_attempt_at = excluded.next_attempt_at and workflow_work.claim_id is null
          then workflow_work.queued_at else excluded.queued_at end`.execute(tx);
}

/** How many of some invoices workflows are to look at now. */
export async function dueToExamine(tx: Transaction, tenantId: string, invoiceIds: readonly string[]) {
  const { rows } = await sql<{ due: string }>`select count(*) as due from workflow_work
    where tenant_id = ${tenantId} and invoice_id = ${anyOf(invoiceIds, "uuid")}
      and next_attempt_at = ${AT_ONCE}::timestamptz`.execute(tx);
  return Number(rows[0]?.due);
}

/** An invoice that a worker looks at. What queues it again meanwhile takes the claim away. */
export type ClaimedWork = Claimed<"workflow_work"> & { attempts: number };

/** What was never tried waits for its day, however far off that is. */
export const WORKFLOW_WORK: WorkKind<"workflow_work"> = {
  table: "workflow_work",
  isWork: sql`true`,
  isAstray: sql`attempts > 0`,
};

/** Takes finished work off the queue, unless something queued it again meanwhile. */
export async function deleteWork(tx: Transaction, work: ClaimedWork) {
  await tx
    .deleteFrom("workflow_work")
    .where((column) => column.and({ tenant_id: work.tenant_id, invoice_id: work.invoice_id }))
    .where("claim_id", "is not distinct from", work.claim_id)
    .execute();
}
