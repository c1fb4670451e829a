import { sql } from "kysely";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";

interface OriginRow {
  debt_id: string;
  currency: string | null;
  invoice_date: string | null;
  original_amount: string | null;
  pay_link: string | null;
  pay_amount: string | null;
}

/** What debts were for, and the newest live link on each: installments, and invoices without any. */
export async function originsOfDebts(tx: Transaction, tenantId: string, ids: readonly string[]) {
  const { rows } = await sql<OriginRow>`
    (select distinct on (debt.installment_id) debt.installment_id as debt_id, invoice.currency, invoice.invoice_date,
      debt.original_amount, link.url as pay_link, link.amount as pay_amount
    from installments as debt
    join invoices as invoice on invoice.tenant_id = debt.tenant_id and invoice.invoice_id = debt.invoice_id
    left join payment_links as link on link.tenant_id = debt.tenant_id and link.installment_id = debt.installment_id
      and link.state = 'active' and link.paid_at is null
    where debt.tenant_id = ${tenantId} and debt.installment_id = ${anyOf(ids, "uuid")}
    order by debt.installment_id, link.created_at desc, link.payment_link_id)
    union all
    select invoice_id as debt_id, currency, invoice_date, total_amount as original_amount, null, null
    from invoices where tenant_id = ${tenantId} and invoice_id = ${anyOf(ids, "uuid")}`.execute(tx);
  return rows;
}
