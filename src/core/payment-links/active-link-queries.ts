import { sql } from "kysely";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";

/** Writes down which of some invoices have an active link; `updated_at` does not move (service.md §2.3). */
export async function markActiveLinks(tx: Transaction, tenantId: string, invoiceIds: readonly string[]): Promise<void> {
  await sql`update invoices as invoice set has_active_payment_link = not invoice.has_active_payment_link
    where invoice.tenant_id = ${tenantId} and invoice.invoice_id = ${anyOf(invoiceIds, "uuid")}
      and invoice.has_active_payment_link <> exists (
        select from payment_links as link
        where link.tenant_id = ${tenantId} and link.invoice_id = invoice.invoice_id and link.state = 'active')`.execute(
    tx,
  );
}
