import type { Transaction } from "../store/store.ts";

/** An invoice the demo's story speaks of. */
export interface DemoInvoice {
  invoice_id: string;
  /** Of its first installment, if it has any. */
  installment_id: string | null;
  collection_outstanding: string;
  total_amount: string | null;
  has_payment: boolean;
}

/** The invoice of an ERP id, with what the story needs to know of it. */
export function selectDemoInvoice(
  tx: Transaction,
  tenantId: string,
  erpInvoiceId: string,
): Promise<DemoInvoice | undefined> {
  return tx
    .selectFrom("invoices as invoice")
    .select((select) => [
      "invoice.invoice_id",
      "invoice.collection_outstanding",
      "invoice.total_amount",
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
    .where("invoice.erp_invoice_id", "=", erpInvoiceId)
    .executeTakeFirst();
}

/** Whether the workspace has an invoice of that number. */
export async function hasInvoiceNumber(tx: Transaction, tenantId: string, number: string): Promise<boolean> {
  const row = await tx
    .selectFrom("invoices")
    .select("invoice_id")
    .where("tenant_id", "=", tenantId)
    .where("invoice_number", "=", number)
    .executeTakeFirst();
  return row !== undefined;
}

/** The customer of a connection by its number in the ERP. */
export async function selectCustomerByNumber(
  tx: Transaction,
  tenantId: string,
  connectionId: string,
  number: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom("customers")
    .select("customer_id")
    .where("tenant_id", "=", tenantId)
    .where("connection_id", "=", connectionId)
    .where("number", "=", number)
    .executeTakeFirst();
  return row?.customer_id;
}

/** Points a connection of the demo at the port its simulated ERP got this time. */
export async function moveConnection(
  tx: Transaction,
  { tenantId, connectionId, baseUrl }: { tenantId: string; connectionId: string; baseUrl: string },
): Promise<void> {
  await tx
    .updateTable("erp_connections")
    .set({ base_url: baseUrl })
    .where("tenant_id", "=", tenantId)
    .where("connection_id", "=", connectionId)
    .where("base_url", "!=", baseUrl)
    .execute();
}

/** Puts off when a payment's push is due; a person can still push it. */
export async function postponePush(tx: Transaction, tenantId: string, paymentId: string, until: string): Promise<void> {
  await tx
    .updateTable("payments")
    .set({ push_next_attempt_at: until })
    .where("tenant_id", "=", tenantId)
    .where("payment_id", "=", paymentId)
    .execute();
}
