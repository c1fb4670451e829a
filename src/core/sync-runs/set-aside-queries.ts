import type { UnreadableInvoice } from "../../gateways/erp/gateway.ts";
import { upsert } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { SyncRunRow } from "../../store/tables/erp.ts";
import { sameTenant } from "../kernel/same-tenant.ts";

/** A run that sets invoices of its connection aside. */
type Run = Pick<SyncRunRow, "tenant_id" | "connection_id" | "sync_run_id" | "started_at">;

/** Sets invoices of a page aside, or keeps them so with what cannot be read of them now. */
export async function setAside(tx: Transaction, run: Run, invoices: readonly UnreadableInvoice[]) {
  if (invoices.length === 0) return;
  const { tenant_id, connection_id, sync_run_id, started_at: since } = run;
  const rows = invoices.map(({ erpInvoiceId: erp_invoice_id, invoiceNumber: invoice_number, ...fault }) => {
    return { tenant_id, connection_id, sync_run_id, since, erp_invoice_id, invoice_number, ...fault };
  });
  const key = ["tenant_id", "connection_id", "erp_invoice_id"];
  await upsert("set_aside_invoices", rows, { key, lasting: ["since"] }).execute(tx);
}

/** Forgets what earlier runs set aside, once a run has read all pages: it can be read now, or is gone. */
export async function forgetSetAside(tx: Transaction, { tenant_id, connection_id, sync_run_id }: Run) {
  await tx
    .deleteFrom("set_aside_invoices")
    .where((column) => column.and({ tenant_id, connection_id }))
    .where("sync_run_id", "<>", sync_run_id)
    .execute();
}

/** ERP ids of a connection's invoices that could not be read, in their order. */
export async function setAsideIds(
  tx: Transaction,
  { tenant_id, connection_id }: Pick<Run, "tenant_id" | "connection_id">,
) {
  const rows = await tx
    .selectFrom("set_aside_invoices")
    .select("erp_invoice_id")
    .where((column) => column.and({ tenant_id, connection_id }))
    .orderBy("erp_invoice_id")
    .execute();
  return rows.map((row) => row.erp_invoice_id);
}

function setAsideInvoices(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("set_aside_invoices as unread")
    .innerJoin("erp_connections as connection", sameTenant("connection", "unread", "connection_id"))
    .where("unread.tenant_id", "=", tenantId)
    .where("connection.status", "<>", "disconnected");
}

/** Invoices of a workspace that the last syncs could not read, with what is stored of them, the oldest first. */
export function listSetAside(tx: Transaction, tenantId: string, most?: number) {
  return setAsideInvoices(tx, tenantId)
    .leftJoin("invoices as invoice", (join) =>
      join
        .onRef("invoice.connection_id", "=", "unread.connection_id")
        .onRef("invoice.erp_invoice_id", "=", "unread.erp_invoice_id")
        .on("invoice.tenant_id", "=", tenantId),
    )
    .select(["unread.erp_invoice_id", "unread.field", "unread.value", "unread.problem", "unread.since"])
    .select(["unread.connection_id", "invoice.customer_name"])
    .select(({ fn, ref }) =>
      fn.coalesce(ref("unread.invoice_number"), ref("invoice.invoice_number")).as("invoice_number"),
    )
    .orderBy("unread.since")
    .orderBy("unread.erp_invoice_id")
    .$if(most !== undefined, (query) => query.limit(most ?? 0))
    .execute();
}

export type SetAsideInvoice = Awaited<ReturnType<typeof listSetAside>>[number];

export async function countSetAside(tx: Transaction, tenantId: string) {
  const row = await setAsideInvoices(tx, tenantId)
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
