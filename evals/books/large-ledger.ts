import { sql } from "kysely";
import { searchColumns } from "../../src/core/kernel/text.ts";
import type { Store } from "../../src/store/store.ts";
import { connectionRow, customerRow, insertRows } from "../../test/support/book.ts";
import { everyRow } from "../../test/support/every-row.ts";

const CUSTOMERS = 2_000;
const INVOICES_EACH = 10;
const PARTS = 5;

/** How many installments the ledger has. */
export const INSTALLMENTS = CUSTOMERS * INVOICES_EACH * PARTS;

const FIRST = ["Alder", "Birch", "Cobalt", "Delta", "Ember", "Fjord", "Granite", "Harbor", "Indigo", "Juniper"];
const LAST = ["Logistics", "Textiles", "Foods", "Metals", "Optics", "Paper", "Marine"];

/** Names that are easy to get wrong: wildcards, quotes, another script. The first customers have them, and pay in EUR. */
const ODD_NAMES = ["100% Natural_Foods", '"Quoted" Trading', "株式会社ひかり", "O'Brien & Söhne"];

const nameOf = (n: number): string =>
  ODD_NAMES[n - 1] ??
  `${FIRST[n % FIRST.length]} ${LAST[Math.floor(n / 10) % LAST.length]} ${String(n).padStart(4, "0")}`;

/** A spread of whole numbers that is the same for the same invoice and installment. */
const spread = (salt: number) => sql.raw(`(hashint8(n::bigint * 10 + part + ${salt}000000) & 2147483647)`);

/** Where the ledger is written. */
export interface LedgerPlace {
  readonly tenantId: string;
  /** `YYYY-MM-DD`; the ledger is arranged around it. */
  readonly today: string;
}

/**
 * Writes what an ERP would have delivered: 2,000 customers with ten invoices of five installments each in six currencies (few
 * in EUR), due from 400 days ago to 120 days ahead; most of what is past is closed, each customer late in a way of their own. Some are disputed, excluded, undated, not
 * finalised, retired or without a billing email. Figures are left for the service to compute. Answers the two connections.
 */
export async function writeLedger(store: Store, place: LedgerPlace): Promise<readonly [string, string]> {
  const { tenantId } = place;
  const connections = [
    connectionRow(tenantId, { auto_sync_enabled: true, last_sync_at: new Date().toISOString() }),
    connectionRow(tenantId, { status: "requires_reauthentication", payment_push_mode: "held" }),
  ] as const;
  const [{ connection_id: first }, { connection_id: second }] = connections;
  const customers = Array.from({ length: CUSTOMERS }, (_, at) => {
    const [name, number] = [nameOf(at + 1), `C${String(at + 1).padStart(5, "0")}`];
    return customerRow(tenantId, at % 10 === 9 ? second : first, {
      name,
      numbers: number,
      email: at % 23 === 22 ? null : `ap.${at + 1}@customers.example`,
      ...searchColumns(name, number),
    });
  });
  // Nothing was ever asked of this one.
  customers.push(
    customerRow(tenantId, first, { name: "Zephyr Cordage", number: null, ...searchColumns("Zephyr Cordage", null) }),
  );
  await store.write(tenantId, (tx) => insertRows(tx, { erp_connections: connections, customers }));
  await everyRow(store, async (tx) => {
    await sql`insert into invoices (tenant_id, invoice_id, origin, connection_id, erp_invoice_id, invoice_number, currency,
        total_amount, erp_invoice_open_balance, invoice_date, finalised, customer_id, customer_name, customer_number,
        customer_email, search_text, sort_name, last_synced_at, retired_at, collection_status, collection_outstanding,
        amount_collected, has_held_payment, has_active_payment_link, has_installments, created_at, updated_at)
      select ${tenantId}, md5(${tenantId} || '-invoice-' || n)::uuid, 'erp', customer.connection_id, n, 'GL-' || n,
        case when at <= 12 then 'EUR' when at % 100 < 70 then 'USD' when at % 100 < 85 then 'CAD' when at % 100 < 93 then 'GBP'
          when at % 100 < 98 then 'JPY' else 'KWD' end,
        0, 0, ${place.today}::date - 100, n % 211 <> 0, customer_id, name, numbers, email,
        search_text || e'\ngl-' || n, sort_name, now(),
        case when n % 307 = 0 then now() - interval '10 days' end, 'inactive', 0, 0, false, false, true,
        now() - interval '400 days' + n * interval '20 minutes',
        case when n % 40 = 0 then now() - (n % 9) * interval '7 hours' else now() - interval '60 days' end
      from (select customers.*, substr(numbers, 2)::int as at from customers where tenant_id = ${tenantId} and numbers is not null) as customer
        cross join generate_series(1, ${INVOICES_EACH}::int) as nth, lateral (select (nth - 1) * ${CUSTOMERS} + at as n) as named`.execute(
      tx,
    );
    await writeInstallments(tx, place);
    await sql`update invoices set total_amount = amount, erp_invoice_open_balance = open
      from (select invoice_id, sum(original_amount) as amount, sum(erp_outstanding) as open from installments
        where tenant_id = ${tenantId} group by invoice_id) as summed
      where tenant_id = ${tenantId} and summed.invoice_id = invoices.invoice_id`.execute(tx);
  });
  await store.takeStatistics({ tenantId, tables: ["customers", "invoices", "installments"], rows: INSTALLMENTS });
  return [first, second];
}

async function writeInstallments(
  tx: Parameters<Parameters<Store["directory"]>[0]>[0],
  place: LedgerPlace,
): Promise<void> {
  const { tenantId, today } = place;
  await sql`insert into installments (tenant_id, installment_id, invoice_id, erp_installment_id, sequence_number, due_date,
      original_amount, erp_outstanding, closed, closed_on, disputed, excluded, collection_outstanding, collectible,
      not_collectible_reason, created_at)
    select ${tenantId}, md5(${tenantId} || '-part-' || n || '-' || part)::uuid, invoice_id, n * 10 + part, part,
      case when ${spread(5)} % 400 = 0 then null else due end, amount, case when paid then 0 else amount end, paid, case when paid then least(due + late, ${today}::date) end,
      not paid and ${spread(6)} % 41 = 0, not paid and ${spread(7)} % 67 = 0, 0, false, 'nothing_outstanding', now()
    from (
      select invoices.invoice_id, invoices.erp_invoice_id::bigint as n, part, due,
        ${spread(2)} % 100 < case when due < ${today}::date - 30 then 90 when due < ${today}::date then 60 else 3 end as paid,
        round((120 + ${spread(3)} % 9000 + (${spread(4)} % 1000)::numeric / 1000)
          * case when ${spread(8)} % 50 = 0 then 37 else 1 end,
          case currency when 'JPY' then 0 when 'KWD' then 3 else 2 end) as amount,
        case when at between 101 and 112 then 60 + (at - 100) * 3 else at % 37 - 6 end + ${spread(9)} % 7 - 3 as late
      from invoices cross join generate_series(1, ${PARTS}::int) as part,
        lateral (select substr(customer_number, 2)::int as at) as customer,
        lateral (select erp_invoice_id::bigint as n) as named,
        lateral (select ${today}::date - 400 + (hashint8(n * 10 + part + 1000000) & 2147483647) % 520 as due) as dated
      where tenant_id = ${tenantId}
    ) as drawn`.execute(tx);
}
