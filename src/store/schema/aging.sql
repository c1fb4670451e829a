-- The roll-up that aging is read from (ARCHITECTURE.md). Its tables refer to no other: who holds it waits for nobody.
-- Primary keys come after indexes that look like them, of which the planner takes the newest.
create table aging_state (
  tenant_id uuid primary key,
  as_of date,
  -- Of the program that built it (../aging/rollup-version.ts).
  version integer,
  -- The latest instant of a workspace that callers poll by, of those that are committed (../stamps.ts).
  stamped_at timestamptz(3)
);

-- A row for each debt that counts, with room for another amount beside it.
create table aging_debts (
  tenant_id uuid not null,
  invoice_id uuid not null,
  debt_id uuid not null,
  customer_id uuid,
  connection_id uuid,
  currency text collate "C" not null,
  due_date date not null,
  amount numeric not null,
  sequence_number integer,
  installment_count integer not null,
  collectible boolean not null,
  not_collectible_reason text collate "C",
  invoice_number text not null,
  -- Of its invoice, for a customer may have several.
  customer_number text,
  digest numeric not null
) with (fillfactor = 80);
create index aging_debts_by_due_date on aging_debts (tenant_id, currency, due_date, invoice_id);
create index aging_debts_by_customer on aging_debts (tenant_id, customer_id, due_date, invoice_id)
  where customer_id is not null;
alter table aging_debts add primary key (tenant_id, invoice_id, debt_id);
create index aging_debts_by_reason on aging_debts (tenant_id, currency, not_collectible_reason, due_date, invoice_id)
  where not collectible;
create index aging_debts_uncollectible on aging_debts (tenant_id, currency, due_date, invoice_id)
  where not collectible;
create index aging_debts_by_connection on aging_debts (tenant_id, connection_id, currency, due_date);

-- Debts added up by the age they have on the day of `aging_state`, bucket by bucket from `current` on. A rank is text
-- that sorts as the amount does, the largest first: below row level security an index answers comparisons of text, and
-- not those of numbers, whose errors could tell of rows that the caller must not see.
create table aging_customers (
  tenant_id uuid not null,
  customer_key text collate "C" not null,
  currency text collate "C" not null,
  customer_id uuid,
  connection_id uuid,
  customer_name text not null,
  customer_number text,
  search_text text not null,
  sort_name text collate "C" not null,
  identity numeric not null,
  amount_0 numeric not null,
  amount_1 numeric not null,
  amount_2 numeric not null,
  amount_3 numeric not null,
  amount_4 numeric not null,
  debts_0 integer not null,
  debts_1 integer not null,
  debts_2 integer not null,
  debts_3 integer not null,
  debts_4 integer not null,
  invoices_0 integer not null,
  invoices_1 integer not null,
  invoices_2 integer not null,
  invoices_3 integer not null,
  invoices_4 integer not null,
  invoices_overdue integer not null,
  invoices_all integer not null,
  digest_0 numeric not null,
  digest_1 numeric not null,
  digest_2 numeric not null,
  digest_3 numeric not null,
  digest_4 numeric not null,
  -- What should be in by now as the customer usually pays.
  past_0 numeric not null default 0,
  past_1 numeric not null default 0,
  past_2 numeric not null default 0,
  past_3 numeric not null default 0,
  past_4 numeric not null default 0,
  -- How the customer has paid.
  paid_installments integer not null default 0,
  median_days_late numeric,
  average_days_late numeric,
  on_time_share numeric,
  history numeric not null default 0,
  late_rank integer not null generated always as
    (case when paid_installments < 3 then 2147483647 else -(average_days_late * 10)::integer end) stored,
  rank_0 text collate "C" not null generated always as
    (translate(lpad(length(trunc(amount_0)::text)::text, 2, '0') || trim_scale(amount_0)::text,
      '0123456789', '9876543210') || '~') stored,
  rank_1 text collate "C" not null generated always as
    (translate(lpad(length(trunc(amount_1)::text)::text, 2, '0') || trim_scale(amount_1)::text,
      '0123456789', '9876543210') || '~') stored,
  rank_2 text collate "C" not null generated always as
    (translate(lpad(length(trunc(amount_2)::text)::text, 2, '0') || trim_scale(amount_2)::text,
      '0123456789', '9876543210') || '~') stored,
  rank_3 text collate "C" not null generated always as
    (translate(lpad(length(trunc(amount_3)::text)::text, 2, '0') || trim_scale(amount_3)::text,
      '0123456789', '9876543210') || '~') stored,
  rank_4 text collate "C" not null generated always as
    (translate(lpad(length(trunc(amount_4)::text)::text, 2, '0') || trim_scale(amount_4)::text,
      '0123456789', '9876543210') || '~') stored,
  rank_overdue text collate "C" not null generated always as
    (translate(lpad(length(trunc(amount_1 + amount_2 + amount_3 + amount_4)::text)::text, 2, '0')
      || trim_scale(amount_1 + amount_2 + amount_3 + amount_4)::text, '0123456789', '9876543210') || '~') stored,
  rank_all text collate "C" not null generated always as
    (translate(lpad(length(trunc(amount_0 + amount_1 + amount_2 + amount_3 + amount_4)::text)::text, 2, '0')
      || trim_scale(amount_0 + amount_1 + amount_2 + amount_3 + amount_4)::text, '0123456789', '9876543210') || '~') stored
);
create index aging_customers_by_overdue on aging_customers (tenant_id, currency, rank_overdue, rank_all, customer_key);
create index aging_customers_by_outstanding on aging_customers (tenant_id, currency, rank_all, rank_overdue, customer_key);
create index aging_customers_unassigned on aging_customers (tenant_id) where customer_id is null;
create index aging_customers_by_name on aging_customers (tenant_id, currency, sort_name, customer_key);
create index aging_customers_by_rank_0 on aging_customers (tenant_id, currency, rank_0, customer_key) where debts_0 > 0;
create index aging_customers_by_rank_1 on aging_customers (tenant_id, currency, rank_1, customer_key) where debts_1 > 0;
create index aging_customers_by_rank_2 on aging_customers (tenant_id, currency, rank_2, customer_key) where debts_2 > 0;
create index aging_customers_by_rank_3 on aging_customers (tenant_id, currency, rank_3, customer_key) where debts_3 > 0;
create index aging_customers_by_rank_4 on aging_customers (tenant_id, currency, rank_4, customer_key) where debts_4 > 0;
alter table aging_customers add primary key (tenant_id, customer_key, currency);
create index aging_customers_by_lateness on aging_customers (tenant_id, late_rank, customer_key, currency);

create table aging_totals (
  tenant_id uuid not null,
  currency text collate "C" not null,
  amount_0 numeric not null,
  amount_1 numeric not null,
  amount_2 numeric not null,
  amount_3 numeric not null,
  amount_4 numeric not null,
  debts_0 bigint not null,
  debts_1 bigint not null,
  debts_2 bigint not null,
  debts_3 bigint not null,
  debts_4 bigint not null,
  digest_0 numeric not null,
  digest_1 numeric not null,
  digest_2 numeric not null,
  digest_3 numeric not null,
  digest_4 numeric not null,
  customers_0 bigint not null,
  customers_1 bigint not null,
  customers_2 bigint not null,
  customers_3 bigint not null,
  customers_4 bigint not null,
  customers_overdue bigint not null,
  customers_all bigint not null,
  history_0 numeric not null default 0,
  history_1 numeric not null default 0,
  history_2 numeric not null default 0,
  history_3 numeric not null default 0,
  history_4 numeric not null default 0,
  past_0 numeric not null default 0,
  past_1 numeric not null default 0,
  past_2 numeric not null default 0,
  past_3 numeric not null default 0,
  past_4 numeric not null default 0,
  primary key (tenant_id, currency)
);

-- Debts added up by due day and by why they cannot be collected, so that a range of days costs the same for any size of
-- book; the digests hold the customers' identities too.
create table aging_days (
  tenant_id uuid not null,
  currency text collate "C" not null,
  due_date date not null,
  collectible boolean not null,
  reason text collate "C" not null,
  amount numeric not null,
  debts bigint not null,
  digest numeric not null,
  primary key (tenant_id, currency, due_date, collectible, reason)
);

-- What payment histories are made of: each dated closing, whenever it was.
create table aging_closings (
  tenant_id uuid not null,
  invoice_id uuid not null,
  installment_id uuid not null,
  customer_id uuid,
  closed_on date not null,
  days_late integer not null,
  primary key (tenant_id, invoice_id, installment_id)
);
create index aging_closings_by_customer on aging_closings (tenant_id, customer_id, closed_on) include (days_late);
create index aging_closings_by_day on aging_closings (tenant_id, closed_on);

-- A row for each invoice, in the order in which lists rank them.
create table invoice_figures (
  tenant_id uuid not null,
  invoice_id uuid not null,
  currency text collate "C" not null,
  collection_status text not null,
  total_amount numeric not null,
  collection_outstanding numeric not null,
  overdue_outstanding numeric not null,
  amount_collected numeric not null,
  rank_outstanding text collate "C" not null generated always as
    (translate(lpad(length(trunc(collection_outstanding)::text)::text, 2, '0')
      || trim_scale(collection_outstanding)::text, '0123456789', '9876543210') || '~') stored,
  rank_overdue text collate "C" not null generated always as
    (translate(lpad(length(trunc(overdue_outstanding)::text)::text, 2, '0')
      || trim_scale(overdue_outstanding)::text, '0123456789', '9876543210') || '~') stored
) with (fillfactor = 80);
create index invoice_figures_by_outstanding on invoice_figures (tenant_id, currency, rank_outstanding, invoice_id);
create index invoice_figures_by_overdue on invoice_figures
  (tenant_id, currency, rank_overdue, rank_outstanding, invoice_id);
alter table invoice_figures add primary key (tenant_id, invoice_id);

create table invoice_totals (
  tenant_id uuid not null,
  collection_status text not null,
  currency text collate "C" not null,
  invoice_count bigint not null,
  total_amount numeric not null,
  collection_outstanding numeric not null,
  overdue_outstanding numeric not null,
  amount_collected numeric not null,
  primary key (tenant_id, collection_status, currency)
);
