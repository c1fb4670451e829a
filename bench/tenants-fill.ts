import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Core } from "../src/core/gate/dependencies.ts";
import { type Book, connectionRow, invoiceRow, openBook, tenantRow } from "../test/support/book.ts";
import { everyRow } from "../test/support/every-row.ts";

/** A workspace whose ERP is somewhere, with an invoice that receipts can be for. */
export interface Workspace {
  readonly tenantId: string;
  readonly connectionId: string;
  readonly invoiceId: string;
}

const ROWS_AT_ONCE = 500;

/** Makes workspaces, each connected to the ERP at the address that `urlOf` gives its number. */
export async function fillWorkspaces(core: Core, count: number, urlOf: (at: number) => string): Promise<Workspace[]> {
  const rows = Array.from({ length: count }, (_, at) => {
    const tenant = tenantRow({ name: `Workspace ${at} ${randomUUID()}` });
    const connectionId = randomUUID();
    const connection = connectionRow(tenant.tenant_id, {
      connection_id: connectionId,
      base_url: urlOf(at),
      credential: core.secrets.encrypt("a password", `erp_connections/${connectionId}`),
      created_at: new Date().toISOString(),
    });
    return { tenant, connection, invoice: invoiceRow(tenant.tenant_id, { connection_id: connectionId }) };
  });
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const some = rows.slice(at, at + ROWS_AT_ONCE);
    await everyRow(core.store.patient, async (tx) => {
      await tx
        .insertInto("tenants")
        .values(some.map(({ tenant }) => tenant))
        .execute();
      await tx
        .insertInto("erp_connections")
        .values(some.map(({ connection }) => connection))
        .execute();
      await tx
        .insertInto("invoices")
        .values(some.map(({ invoice }) => invoice))
        .execute();
    });
  }
  return rows.map(({ tenant, connection, invoice }) => ({
    tenantId: tenant.tenant_id,
    connectionId: connection.connection_id,
    invoiceId: invoice.invoice_id,
  }));
}

/** Makes so many receipts due in each of some workspaces. */
export async function fillReceipts(core: Core, workspaces: readonly Workspace[], each: number): Promise<void> {
  const ids = workspaces.map(({ invoiceId }) => invoiceId);
  await everyRow(core.store.patient, (tx) =>
    sql`insert into payments (tenant_id, payment_id, invoice_id, connection_id, currency, amount, confirmed_at, paid_at, created_at, erp_push_status)
      select tenant_id, gen_random_uuid(), invoice_id, connection_id, 'USD', 1, now(), now(), now() - interval '1 minute', 'pending'
      from invoices, generate_series(1, ${each}::int) where invoice_id = any(${ids}::uuid[])`.execute(tx),
  );
}

/** A book of so many invoices whose connection was synced so often, every ten minutes until now. */
export async function fillBook(core: Core, size: { invoices: number; runs: number }): Promise<Book> {
  const book = await openBook(core.store, { name: `Book of ${size.runs} runs` });
  const { tenantId, connectionId } = book;
  await book.insert({
    invoices: Array.from({ length: size.invoices }, () => invoiceRow(tenantId, { connection_id: connectionId })),
  });
  await everyRow(core.store.patient, (tx) =>
    sql`insert into sync_runs (tenant_id, sync_run_id, connection_id, trigger, status, started_at, finished_at, read_through, covers)
      select ${tenantId}, gen_random_uuid(), ${connectionId}, 'scheduled', 'succeeded', started_at, started_at + interval '1 minute', 'Infinity', n = 1
      from (select n, now() - n * interval '10 minutes' as started_at from generate_series(1, ${size.runs}::int) as n) as runs`.execute(
      tx,
    ),
  );
  return book;
}
