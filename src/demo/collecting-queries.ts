import type { Transaction } from "../store/store.ts";
import type { PaymentRow } from "../store/tables/payments.ts";
import { UNCLAIMED } from "../store/work-queue.ts";

/** An invoice of the demo's story. */
export interface DemoInvoice {
  invoice_id: string;
  customer_id: string | null;
  currency: string | null;
  total_amount: string | null;
  /** Of its first installment, if it has any. */
  installment_id: string | null;
  /** Its payable link, if it has one. */
  payment_link_id: string | null;
  url: string | null;
  open_task_id: string | null;
  has_payment: boolean;
}

/** The invoice of an ERP id, or of an invoice's number, with what the story needs to know of it. */
export function selectDemoInvoice(
  tx: Transaction,
  tenantId: string,
  column: "erp_invoice_id" | "invoice_number",
  value: string,
): Promise<DemoInvoice | undefined> {
  return tx
    .selectFrom("invoices as invoice")
    .leftJoin("payment_links as link", (join) =>
      join
        .onRef("link.tenant_id", "=", "invoice.tenant_id")
        .onRef("link.invoice_id", "=", "invoice.invoice_id")
        .on("link.state", "=", "active"),
    )
    .leftJoin("tasks as task", (join) =>
      join
        .onRef("task.tenant_id", "=", "invoice.tenant_id")
        .onRef("task.invoice_id", "=", "invoice.invoice_id")
        .on("task.state", "=", "open"),
    )
    .select((select) => [
      "invoice.invoice_id",
      "invoice.customer_id",
      "invoice.currency",
      "invoice.total_amount",
      "link.payment_link_id",
      "link.url",
      "task.task_id as open_task_id",
      select
        .selectFrom("installments as part")
        .select("part.installment_id")
        .where("part.tenant_id", "=", tenantId)
        .whereRef("part.invoice_id", "=", "invoice.invoice_id")
        .orderBy("part.sequence_number")
        .limit(1)
        .as("installment_id"),
      select
        .exists(
          select
            .selectFrom("payments as payment")
            .select("payment.payment_id")
            .where("payment.tenant_id", "=", tenantId)
            .whereRef("payment.invoice_id", "=", "invoice.invoice_id"),
        )
        .$castTo<boolean>()
        .as("has_payment"),
    ])
    .where("invoice.tenant_id", "=", tenantId)
    .where(`invoice.${column}`, "=", value)
    .executeTakeFirst();
}

/** A payment of one of the story's invoices. */
export type DemoPayment = Pick<
  PaymentRow,
  | "payment_id"
  | "amount"
  | "currency"
  | "erp_push_status"
  | "erp_receipt_id"
  | "erp_receipt_number"
  | "amount_minor"
  | "provider_payment_id"
  | "payment_integration_id"
>;

/** The payments of some invoices by their ERP ids. */
export function selectDemoPayments(
  tx: Transaction,
  tenantId: string,
  erpInvoiceIds: readonly string[],
): Promise<DemoPayment[]> {
  return tx
    .selectFrom("payments as payment")
    .innerJoin("invoices as invoice", (join) =>
      join.onRef("invoice.tenant_id", "=", "payment.tenant_id").onRef("invoice.invoice_id", "=", "payment.invoice_id"),
    )
    .select([
      "payment.payment_id",
      "payment.amount",
      "payment.currency",
      "payment.erp_push_status",
      "payment.erp_receipt_id",
      "payment.erp_receipt_number",
      "payment.amount_minor",
      "payment.provider_payment_id",
      "payment.payment_integration_id",
    ])
    .where("payment.tenant_id", "=", tenantId)
    .where("invoice.erp_invoice_id", "in", [...erpInvoiceIds])
    .execute();
}

/** Postpones the pushes of payments forever; a person can still push held ones. */
export async function postponePushes(tx: Transaction, tenantId: string, paymentIds: readonly string[]): Promise<void> {
  if (paymentIds.length === 0) return;
  await tx
    .updateTable("payments")
    .set({ push_put_off: true })
    .where("tenant_id", "=", tenantId)
    .where("payment_id", "in", [...paymentIds])
    .execute();
}

/** Empties a workspace's queue of invoices for its workflows. */
export async function clearWork(tx: Transaction, tenantId: string): Promise<void> {
  await tx.deleteFrom("workflow_work").where("tenant_id", "=", tenantId).execute();
}

/** Whether a workspace has a workflow of that type, on or off. */
export async function hasWorkflow(
  tx: Transaction,
  tenantId: string,
  type: "auto_generate" | "payment_arrangement",
): Promise<boolean> {
  const row = await tx
    .selectFrom("workflows")
    .select("workflow_id")
    .where("tenant_id", "=", tenantId)
    .where("type", "=", type)
    .executeTakeFirst();
  return row !== undefined;
}

/** ERP connections with a run in flight. */
export async function pullingConnections(tx: Transaction, tenantId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom("sync_runs")
    .select("connection_id")
    .where("tenant_id", "=", tenantId)
    .where("status", "=", "running")
    .execute();
  return rows.map((row) => row.connection_id);
}

/** Releases the claims of an interrupted start; returns its reservations of links. */
export async function letGo(tx: Transaction, tenantId: string): Promise<string[]> {
  await tx.updateTable("payments").set(UNCLAIMED).where("tenant_id", "=", tenantId).execute();
  await tx.updateTable("link_emails").set(UNCLAIMED).where("tenant_id", "=", tenantId).execute();
  await tx.updateTable("outgoing_mails").set(UNCLAIMED).where("tenant_id", "=", tenantId).execute();
  await tx.updateTable("idempotency_records").set({ held_until: null }).where("tenant_id", "=", tenantId).execute();
  await clearLeases(tx, tenantId);
  const rows = await tx
    .selectFrom("payment_links")
    .select("reservation_id")
    .distinct()
    .where("tenant_id", "=", tenantId)
    .where("state", "=", "reserved")
    .execute();
  return rows.map((row) => row.reservation_id);
}

async function clearLeases(tx: Transaction, tenantId: string): Promise<void> {
  const next_attempt_at = "1970-01-01T00:00:00.000Z";
  await tx
    .updateTable("workflow_work")
    .set({ ...UNCLAIMED, next_attempt_at })
    .where("tenant_id", "=", tenantId)
    .execute();
}
