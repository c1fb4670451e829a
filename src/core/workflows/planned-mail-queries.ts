import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import { sameTenant } from "../kernel/same-tenant.ts";
import type { PlannedLink } from "./planned-messages.ts";

/** What a message says of the debts that planned links ask for; those due first before the others, as in the message. */
export async function debtsToShow(tx: Transaction, tenantId: string, links: readonly PlannedLink[]) {
  const ids = links.map(({ installmentId }) => installmentId);
  const rows = await tx
    .selectFrom("installments as installment")
    .innerJoin("invoices as invoice", sameTenant("invoice", "installment", "invoice_id"))
    .leftJoin("customer_mailing as mailing", sameTenant("mailing", "invoice", "customer_id"))
    .select([
      "installment.installment_id",
      "installment.due_date",
      "invoice.invoice_id",
      "invoice.invoice_number",
      "invoice.invoice_date",
      "invoice.total_amount",
      "invoice.customer_name",
      "mailing.locale",
    ])
    .where("installment.tenant_id", "=", tenantId)
    .where("installment.installment_id", "=", anyOf(ids, "uuid"))
    .orderBy("installment.due_date")
    .orderBy("invoice.invoice_number")
    .orderBy("installment.installment_id")
    .execute();
  return rows.flatMap(({ installment_id: id, ...debt }) =>
    links
      .filter(({ installmentId }) => installmentId === id)
      .map(({ provider, amount, currency }) => ({ ...debt, provider, amount, currency })),
  );
}
