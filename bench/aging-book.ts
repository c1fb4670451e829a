import { sql } from "kysely";
import type { Store } from "../src/store/store.ts";
import { everyRow } from "../test/support/every-row.ts";

/** What {@link fillAgingBook} made, to filter by. */
export interface AgingBook {
  tenantId: string;
  connectionId: string;
  customerKey: string;
}

/** Invoices of one statement, so that none takes longer than a statement of the service may. */
const SLICE = 100_000;

/**
 * Fills a workspace with installments, made by the store itself: five to an invoice, fifty to a customer, four currencies,
 * a quarter paid and closed, one in fifty disputed, due from 300 days ago to 100 days ahead.
 */
export async function fillAgingBook(store: Store, tenantId: string, installments: number): Promise<AgingBook> {
  const invoices = Math.ceil(installments / 5);
  const customers = Math.ceil(installments / 50);
  const id = (text: string, kind: number) => sql.raw(`md5('${tenantId}-${kind}-' || ${text})::uuid`);
  const connectionId = id("'erp'", 1);
  await everyRow(store.patient, async (tx) => {
    await sql`insert into tenants (tenant_id, name, timezone, api_access, assistant_access, created_at)
      values (${tenantId}, ${`Bench ${installments}`}, 'UTC', true, true, '2026-01-01')`.execute(tx);
    await sql`insert into erp_connections (tenant_id, connection_id, provider, status, base_url, username,
        sync_enabled, auto_sync_enabled, auto_sync_interval_minutes, pull_contact_name, payment_push_mode, apply_mode,
        address_reach, receipt_method, unreachable_runs, created_at)
      values (${tenantId}, ${connectionId}, 'oracle_fusion', 'connected', 'https://erp.example.test', 'u',
        true, false, 60, true, 'automatic', 'rest_action',
        'any', 'Payment Link', 0, '2021-01-01')`.execute(tx);
    await sql`insert into customers (tenant_id, customer_id, connection_id, erp_customer_id, numbers, name, email,
        search_text, sort_name, created_at)
      select ${tenantId}, ${id("n", 2)}, ${connectionId}, n::text, n::text, 'Customer ' || n, 'a@example.test',
        'customer ' || n || e'\n' || n, 'customer ' || n, '2021-01-01'
      from generate_series(1, ${customers}::int) n`.execute(tx);
  });
  for (let first = 1; first <= invoices; first += SLICE) {
    const last = Math.min(first + SLICE - 1, invoices);
    await everyRow(store.patient, async (tx) => {
      await sql`insert into invoices (tenant_id, invoice_id, origin, connection_id, erp_invoice_id, invoice_number, currency,
          total_amount, erp_invoice_open_balance, invoice_date, finalised, customer_id, customer_name, customer_number,
          customer_email, search_text, sort_name, last_synced_at, collection_status, collection_outstanding,
          amount_collected, has_held_payment, has_active_payment_link, has_installments, created_at, updated_at)
        select ${tenantId}, ${id("n", 3)}, 'erp', ${connectionId}, n, 'INV-' || n,
          (array['USD','USD','USD','USD','USD','USD','EUR','EUR','GBP','JPY'])[1 + (n / 7) % 10],
          500 + n % 9000, 400, '2025-01-01', true, ${id(`1 + n % ${customers}`, 2)}, 'Customer', '1',
          'a@example.test', e'customer\n1\ninv-' || n, 'customer', '2026-03-01', 'open', 400, 0, false, false, true,
          '2025-01-01'::timestamptz + n * interval '1 minute', '2025-01-02'::timestamptz + n * interval '1 minute'
        from generate_series(${first}::int, ${last}::int) n`.execute(tx);
      await sql`insert into installments (tenant_id, installment_id, invoice_id, erp_installment_id, sequence_number,
          due_date, original_amount, erp_outstanding, closed, disputed, excluded, collection_outstanding, collectible,
          not_collectible_reason, closed_on, created_at)
        select ${tenantId}, ${id("n || '/' || part", 4)}, ${id("n", 3)}, n::bigint * 10 + part, part,
          current_date - 300 + ((n::bigint * 7919 + part * 104729) % 400)::int, 100 + n % 1800,
          case when paid then 0 else 100 + (n * part) % 1800 end, paid, n % 50 = 0, false,
          case when paid then 0 else 100 + (n * part) % 1800 end, not paid and n % 50 > 0,
          case when paid then 'closed' when n % 50 = 0 then 'disputed' end,
          case when paid then least(current_date, current_date - 310 + ((n::bigint * 7919 + part * 104729) % 460)::int) end,
          '2025-01-01'
        from generate_series(${first}::int, ${last}::int) n cross join generate_series(1, 5) part
          cross join lateral (select (n + part) % 15 < 4 as paid) as state`.execute(tx);
    });
  }
  const found = await everyRow(store.patient, (tx) =>
    sql<{ connectionId: string; customerKey: string }>`select ${connectionId}::text as "connectionId",
      ${id("7", 2)}::text as "customerKey"`.execute(tx),
  );
  const [made] = found.rows;
  if (made === undefined) throw new Error("the book was not made");
  return { tenantId, ...made };
}
