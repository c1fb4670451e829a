import { sql } from "kysely";
import { stampInvoices, touchInvoices } from "../../store/aging/rollup.ts";
import type { Transaction } from "../../store/store.ts";
import type { SettledElsewhere } from "../../store/tables/invoices.ts";
import { foldText } from "../kernel/text.ts";

/** An invoice of the tenant, locked; undefined when missing. */
export function lockInvoice(tx: Transaction, tenantId: string, invoiceId: string) {
  return tx
    .selectFrom("invoices")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", invoiceId)
    .forUpdate()
    .executeTakeFirst();
}

/** Installments of an invoice that were not removed, in order. */
export function liveInstallments(tx: Transaction, tenantId: string, invoiceId: string) {
  return tx
    .selectFrom("installments")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", invoiceId)
    .where("removed_at", "is", null)
    .orderBy("sequence_number")
    .execute();
}

/** Another invoice with a number, folded as in searches: one of each origin, where there are any. */
export async function invoicesOfNumber(tx: Transaction, tenantId: string, number: string, exceptId: string | null) {
  // The number is the last line of what an invoice is found by (`searchColumns`).
  const { rows } = await sql<{ origin: "local" | "erp"; number: string }>`
    select origin, min(invoice_number) as number from invoices
    where tenant_id = ${tenantId} and invoice_number is not null and invoice_id is distinct from ${exceptId}::uuid
      and split_part(search_text, chr(10), -1) = ${foldText(number)}
    group by origin`.execute(tx);
  const numberAt = (origin: "local" | "erp") => rows.find((row) => row.origin === origin)?.number;
  return { local: numberAt("local"), erp: numberAt("erp") };
}

/** Notes money that came another way. */
export async function addSettled(
  tx: Transaction,
  tenantId: string,
  invoiceId: string,
  settled: SettledElsewhere,
  at: string,
) {
  touch(tx, invoiceId, at);
  await sql`update invoices set settled_elsewhere = settled_elsewhere || ${JSON.stringify([settled])}::jsonb, updated_at = ${at}
    where tenant_id = ${tenantId} and invoice_id = ${invoiceId}`.execute(tx);
}

/** Voids an invoice. */
export async function setVoided(tx: Transaction, tenantId: string, invoiceId: string, at: string) {
  touch(tx, invoiceId, at);
  await sql`update invoices set voided_at = ${at}, updated_at = ${at}
    where tenant_id = ${tenantId} and invoice_id = ${invoiceId}`.execute(tx);
}

function touch(tx: Transaction, invoiceId: string, at: string) {
  touchInvoices(tx, [invoiceId]);
  stampInvoices(tx, [invoiceId], at);
}
