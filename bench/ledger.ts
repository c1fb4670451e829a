import { sql } from "kysely";
import type { Store } from "../src/store/store.ts";
import { everyRow } from "../test/support/every-row.ts";

/** What {@link fillLedger} made, to filter by. */
export interface Ledger {
  tenantId: string;
  connectionId: string;
  customerId: string;
}

const id = (column: string, salt: number) => sql.raw(`md5('${salt}-' || ${column})::uuid`);

/**
 * Fills a workspace with `invoices` rows of a believable spread, made by the store itself: four currencies, 20,000
 * customers, five years of creation times, a tenth open, few failed pushes, and a hundred sync runs.
 */
export async function fillLedger(store: Store, tenantId: string, invoices: number): Promise<Ledger> {
  await everyRow(store.patient, async (tx) => {
    await sql`insert into tenants (tenant_id, name, timezone, api_access, assistant_access, created_at)
      values (${tenantId}, 'Bench', 'UTC', true, true, '2026-01-01')`.execute(tx);
    await sql`insert into erp_connections (tenant_id, connection_id, provider, status, base_url, username, credential,
        sync_enabled, auto_sync_enabled, auto_sync_interval_minutes, pull_contact_name, payment_push_mode, apply_mode,
        address_reach, receipt_method, unreachable_runs, created_at)
      select ${tenantId}, ${id("n", 1)}, 'oracle_fusion', 'connected', 'https://erp.example.test', 'u', null,
        true, false, 60, true, 'automatic', 'rest_action', 'any', 'Payment Link', 0, '2021-01-01'
      from generate_series(1, 2) n`.execute(tx);
    await sql`insert into customers (tenant_id, customer_id, connection_id, erp_customer_id, numbers, name, email, search_text, sort_name, created_at)
      select ${tenantId}, ${id("n", 2)}, ${id("1 + n % 2", 1)}, n::text, n::text, 'Customer ' || n, 'a@example.test',
        'customer ' || n, 'customer ' || n, '2021-01-01' from generate_series(1, 20000) n`.execute(tx);
    await sql`insert into sync_runs (tenant_id, sync_run_id, connection_id, trigger, status, started_at, finished_at, read_through)
      select ${tenantId}, ${id("n", 3)}, ${id("1 + n % 2", 1)}, 'scheduled', 'succeeded',
        '2026-03-01'::timestamptz + n * interval '1 hour', '2026-03-01'::timestamptz + n * interval '1 hour', 9e15
      from generate_series(1, 100) n`.execute(tx);
    await sql`insert into invoices (tenant_id, invoice_id, origin, connection_id, erp_invoice_id, invoice_number, currency,
        total_amount, erp_invoice_open_balance, invoice_date, finalised, customer_id, customer_name, customer_number, customer_email,
        search_text, sort_name, last_synced_at, collection_status, collection_outstanding, amount_collected,
        collection_due_date, erp_push_state, has_held_payment, has_active_payment_link, has_installments, created_at, updated_at)
      select ${tenantId}, ${id("n", 4)}, 'erp', ${id("1 + n % 2", 1)}, n, 'INV-' || n,
        (array['USD','USD','USD','USD','USD','USD','EUR','EUR','GBP','JPY'])[1 + (n / 10) % 10],
        100 + n % 9000, case when n % 10 = 0 then 100 + n % 9000 else 0 end, '2021-01-01'::date + (n / 550)::int, true,
        ${id("1 + (n::bigint * 7919) % 20000", 2)}, 'Customer', '1', 'a@example.test',
        e'customer\n1\ninv-' || n, 'customer', '2026-03-01',
        case when n % 10 = 0 then 'open' when n % 10 < 4 then 'paid' else 'inactive' end,
        case when n % 10 = 0 then 100 + n % 9000 else 0 end, case when n % 10 between 1 and 3 then 100 else 0 end,
        case when n % 10 = 0 then '2021-02-01'::date + (n / 550)::int + (n % 60)::int end,
        case when n % 10 between 1 and 3 then case when n % 1010 = 1 then 'failed' when n % 101 = 2 then 'pending' else 'applied' end end,
        n % 2003 = 3, n % 50 = 0, true,
        '2021-01-01'::timestamptz + n * interval '158 seconds', '2021-01-02'::timestamptz + n * interval '158 seconds'
      from generate_series(1, ${invoices}::int) n`.execute(tx);
  });
  const one = await everyRow(store.patient, (tx) =>
    sql<
      Omit<Ledger, "tenantId">
    >`select ${id("1", 1)}::text as "connectionId", ${id("7", 2)}::text as "customerId"`.execute(tx),
  );
  const [made] = one.rows;
  if (made === undefined) throw new Error("the ledger was not made");
  return { tenantId, ...made };
}
