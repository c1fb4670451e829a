import { type Kysely, sql } from "kysely";
import { wall } from "./001-receivables.ts";

const BUCKETS = [0, 1, 2, 3, 4];
const each = (column: (bucket: number) => string): string => BUCKETS.map(column).join(", ");

/**
 * Text that sorts as the amount does, the largest first: below row level security an index answers comparisons of text,
 * and not those of numbers, whose errors could tell of rows that the caller must not see.
 */
const rank = (amount: string): string =>
  `translate(lpad(length(trunc(${amount})::text)::text, 2, '0') || trim_scale(${amount})::text, '0123456789', '9876543210') || '~'`;

const generated = (name: string, amount: string): string =>
  `${name} text collate "C" not null generated always as (${rank(amount)}) stored`;

/**
 * The roll-up that aging is read from (ARCHITECTURE.md). `aging_debts` has a row for each debt that counts, with room for
 * another amount beside it; the other two add them up by the age they have on the day of `aging_state`, bucket by bucket
 * from `current` on. Workspaces that are there already have theirs built before it is first read. Nothing here refers to
 * another table: whoever holds the roll-up waits for nobody. Primary keys come last: of indexes that look alike the planner
 * takes the newest.
 */
const STATEMENTS = `
create table aging_state (
  tenant_id uuid primary key,
  as_of date
);

create table aging_debts (
  tenant_id uuid not null,
  invoice_id uuid not null,
  debt_id uuid not null,
  customer_id uuid,
  currency text collate "C" not null,
  due_date date not null,
  amount numeric not null,
  sequence_number integer,
  installment_count integer not null,
  collectible boolean not null,
  invoice_number text not null,
  digest numeric not null
) with (fillfactor = 80);
create index aging_debts_by_due_date on aging_debts (tenant_id, currency, due_date, invoice_id);
create index aging_debts_by_customer on aging_debts (tenant_id, customer_id, due_date, invoice_id)
  where customer_id is not null;
alter table aging_debts add primary key (tenant_id, invoice_id, debt_id);

create table aging_customers (
  tenant_id uuid not null,
  customer_key text collate "C" not null,
  currency text collate "C" not null,
  customer_id uuid,
  customer_name text not null,
  customer_number text,
  search_text text not null,
  sort_name text collate "C" not null,
  identity numeric not null,
  ${each((n) => `amount_${n} numeric not null`)},
  ${each((n) => `debts_${n} integer not null`)},
  ${each((n) => `invoices_${n} integer not null`)},
  invoices_overdue integer not null,
  invoices_all integer not null,
  ${each((n) => `digest_${n} numeric not null`)},
  ${each((n) => generated(`rank_${n}`, `amount_${n}`))},
  ${generated("rank_overdue", "amount_1 + amount_2 + amount_3 + amount_4")},
  ${generated("rank_all", "amount_0 + amount_1 + amount_2 + amount_3 + amount_4")}
);
create index aging_customers_by_overdue on aging_customers (tenant_id, currency, rank_overdue, rank_all, customer_key);
create index aging_customers_by_outstanding on aging_customers (tenant_id, currency, rank_all, rank_overdue, customer_key);
create index aging_customers_unassigned on aging_customers (tenant_id) where customer_id is null;
create index aging_customers_by_name on aging_customers (tenant_id, currency, sort_name, customer_key);
${BUCKETS.map(
  (n) => `create index aging_customers_by_rank_${n} on aging_customers (tenant_id, currency, rank_${n}, customer_key)
  where debts_${n} > 0`,
).join(";\n")};
alter table aging_customers add primary key (tenant_id, customer_key, currency);

create table aging_totals (
  tenant_id uuid not null,
  currency text collate "C" not null,
  ${each((n) => `amount_${n} numeric not null`)},
  ${each((n) => `debts_${n} bigint not null`)},
  ${each((n) => `digest_${n} numeric not null`)},
  ${each((n) => `customers_${n} bigint not null`)},
  customers_overdue bigint not null,
  customers_all bigint not null,
  primary key (tenant_id, currency)
);

create index invoices_live_currencies on invoices (tenant_id, currency) where retired_at is null;
`;

const TABLES = ["aging_state", "aging_debts", "aging_customers", "aging_totals"];

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [STATEMENTS, ...TABLES.map(wall)].flatMap((text) => text.split(";\n"));
  for (const statement of statements) {
    if (statement.trim() !== "") await sql.raw(statement).execute(db);
  }
}
