import { sql } from "kysely";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { ExecutionReason, WorkflowExecutionRow } from "../../store/tables/workflows.ts";
import { sameTenant } from "../kernel/same-tenant.ts";

/** An invoice with what workflows need. */
export type InvoiceToRun = NonNullable<Awaited<ReturnType<typeof lockInvoiceToRun>>>;

/** Whether an invoice was paid in another currency than it now has: a payment of before, or money that needs a person yet. */
const paidInOtherCurrency = (tenantId: string) =>
  sql<boolean>`exists (
    select paid.currency from payments as paid
    where paid.tenant_id = ${tenantId} and paid.invoice_id = invoice.invoice_id
      and paid.currency is distinct from invoice.currency
    union all
    select item.currency from attention_items as item
    where item.tenant_id = ${tenantId} and item.invoice_id = invoice.invoice_id
      and item.kind = 'payment_in_other_currency' and item.resolved_at is null
      and item.currency is distinct from invoice.currency)`.as("paid_in_other_currency");

/** A tenant's invoices with what workflows decide by, unordered. */
function invoicesToDecide(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("invoices as invoice")
    .leftJoin("erp_connections as connection", sameTenant("connection", "invoice", "connection_id"))
    .leftJoin("customer_mailing as mailing", sameTenant("mailing", "invoice", "customer_id"))
    .select([
      paidInOtherCurrency(tenantId),
      "mailing.no_mail",
      "invoice.invoice_id",
      "invoice.invoice_number",
      "invoice.currency",
      "invoice.collection_status",
      "invoice.collection_outstanding",
      "invoice.total_amount",
      "invoice.customer_id",
      "invoice.customer_name",
      "invoice.customer_email",
      "connection.status as connection_status",
    ])
    .where("invoice.tenant_id", "=", tenantId);
}

/** An invoice, locked: neither its figures nor its tasks move until the transaction ends. */
export function lockInvoiceToRun(tx: Transaction, tenantId: string, invoiceId: string) {
  return invoicesToDecide(tx, tenantId)
    .innerJoin("tenants", "tenants.tenant_id", "invoice.tenant_id")
    .select("tenants.timezone")
    .where("invoice.invoice_id", "=", invoiceId)
    .forUpdate("invoice")
    .executeTakeFirst();
}

/**
 * The collectible installments of some invoices in their order, once for each live link; rows are in the order of the
 * invoices' ids.
 */
export async function collectibleInstallments(tx: Transaction, tenantId: string, invoiceIds: readonly string[]) {
  const rows = await tx
    .selectFrom("installments as installment")
    .leftJoin("payment_links as link", (join) =>
      join
        .onRef("link.tenant_id", "=", "installment.tenant_id")
        .onRef("link.installment_id", "=", "installment.installment_id")
        .on("link.state", "in", ["active", "reserved"])
        .on("link.paid_at", "is", null),
    )
    .select([
      "installment.invoice_id",
      "installment.installment_id",
      "installment.due_date",
      "installment.collection_outstanding",
      "installment.withdrawn_by_person_at",
      "installment.withdrawn_by_person_amount",
      "link.state",
      sql<string | null>`coalesce(link.lease_expires_at, link.next_attempt_at)`.as("reserved_until"),
    ])
    .where("installment.tenant_id", "=", tenantId)
    .where("installment.invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .where("installment.collectible", "=", true)
    .orderBy("installment.invoice_id")
    .orderBy("installment.sequence_number")
    .orderBy("installment.installment_id")
    .execute();
  return rows.map((row) => ({ ...row, state: row.state === "active" || row.state === "reserved" ? row.state : null }));
}

/** The tasks of some invoices (service.md §3.4). */
export function tasksOf(tx: Transaction, tenantId: string, invoiceIds: readonly string[]) {
  return tx
    .selectFrom("tasks")
    .select(["invoice_id", "state"])
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .execute();
}

/** When a workflow reserved links of an invoice that were made but not recorded, because its worker was lost. */
export async function unrecordedLinks(tx: Transaction, { tenantId, workflowId, invoiceId }: Omit<Run, "startedAt">) {
  const rows = await tx
    .selectFrom("payment_links as link")
    .leftJoin("workflow_executions as execution", (join) =>
      join
        .onRef("execution.tenant_id", "=", "link.tenant_id")
        .onRef("execution.invoice_id", "=", "link.invoice_id")
        .onRef("execution.workflow_id", "=", "link.created_by_id")
        .onRef("execution.started_at", "=", "link.created_at")
        .on("execution.outcome", "=", "link_created"),
    )
    .select("link.created_at")
    .distinct()
    .where("link.tenant_id", "=", tenantId)
    .where("link.invoice_id", "=", invoiceId)
    .where("link.created_by_kind", "=", "workflow")
    .where("link.created_by_id", "=", workflowId)
    .where("link.state", "in", ["active", "paid", "deactivated"])
    .where("execution.workflow_execution_id", "is", null)
    .execute();
  return rows.map((row) => row.created_at);
}

/** Who gets a message: a customer at an address, or a name where the service does not know the customer. */
export interface Addressee {
  readonly customerId: string | null;
  readonly customer: string | null;
  readonly email: string;
}

/** Who would be mailed about an installment; undefined for an unknown one, or without an address. */
export async function addresseeOf(tx: Transaction, tenantId: string, installmentId: string) {
  const row = await tx
    .selectFrom("installments as installment")
    .innerJoin("invoices as invoice", sameTenant("invoice", "installment", "invoice_id"))
    .select(["invoice.customer_id", "invoice.customer_name", "invoice.customer_email"])
    .where("installment.tenant_id", "=", tenantId)
    .where("installment.installment_id", "=", installmentId)
    .executeTakeFirst();
  const email = row?.customer_email ?? null;
  if (row === undefined || email === null) return undefined;
  return { customerId: row.customer_id, customer: row.customer_name, email };
}

/** An invoice with what a plan needs. */
export type InvoiceToPlan = Awaited<ReturnType<typeof openInvoicesAfter>>[number];

/** Open invoices of a tenant, or of one addressee there, in the order of their ids, from after `after` on. */
export function openInvoicesAfter(
  tx: Transaction,
  tenantId: string,
  { after, limit, addressee }: { after: string | null; limit: number; addressee: Addressee | null },
) {
  let query = invoicesToDecide(tx, tenantId).where("invoice.collection_status", "=", "open");
  if (after !== null) query = query.where("invoice.invoice_id", ">", after);
  if (addressee !== null)
    query = query
      .where("invoice.customer_id", "is not distinct from", addressee.customerId)
      .where("invoice.customer_email", "=", addressee.email);
  if (addressee?.customerId === null)
    query = query.where("invoice.customer_name", "is not distinct from", addressee.customer);
  return query.orderBy("invoice.invoice_id").limit(limit).execute();
}

/** One run of a workflow for an invoice. */
export interface Run {
  readonly tenantId: string;
  readonly workflowId: string;
  readonly invoiceId: string;
  readonly startedAt: string;
}

type RunOfInvoice = Omit<Run, "startedAt">;

/** What a workflow did with an invoice, unordered. */
function executionsOf(tx: Transaction, { tenantId, workflowId, invoiceId }: RunOfInvoice) {
  return tx
    .selectFrom("workflow_executions")
    .where((column) => column.and({ tenant_id: tenantId, workflow_id: workflowId, invoice_id: invoiceId }));
}

/** What a workflow last did with an invoice. */
export function lastExecution(tx: Transaction, run: RunOfInvoice) {
  return executionsOf(tx, run)
    .select(["status", "outcome", "reason"])
    .orderBy("started_at", "desc")
    .orderBy("finished_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Whether a run is in the history with that outcome. */
export async function hasExecution(tx: Transaction, run: Run, outcome: WorkflowExecutionRow["outcome"]) {
  const row = await executionsOf(tx, run)
    .select("workflow_execution_id")
    .where("started_at", "=", run.startedAt)
    .where("outcome", "=", outcome)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the history has, at or after an instant, that a workflow did nothing with an invoice for a reason. */
export async function hasReasonSince(
  tx: Transaction,
  run: RunOfInvoice,
  { code, since }: { code: ExecutionReason["code"]; since: string },
) {
  const row = await executionsOf(tx, run)
    .select("workflow_execution_id")
    .where("started_at", ">=", since)
    .where("outcome", "=", "none")
    .where(sql`reason ->> 'code'`, "=", code)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertExecution(tx: Transaction, row: WorkflowExecutionRow) {
  await tx.insertInto("workflow_executions").values(row).execute();
}
