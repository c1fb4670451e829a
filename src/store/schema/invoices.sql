create table customers (
  tenant_id uuid not null references tenants,
  customer_id uuid not null,
  connection_id uuid not null,
  erp_customer_id text not null,
  -- All account numbers of its invoices, one a line.
  numbers text,
  name text,
  contact_name text,
  email text,
  email_override text,
  search_text text not null,
  sort_name text not null,
  created_at timestamptz(3) not null,
  unique (tenant_id, connection_id, erp_customer_id),
  foreign key (tenant_id, connection_id) references erp_connections
);
alter table customers add primary key (tenant_id, customer_id);

create table customer_notes (
  tenant_id uuid not null references tenants,
  note_id uuid not null,
  customer_id uuid not null,
  -- The member who wrote it; null for an operator.
  author_id uuid,
  text text not null,
  due_on date,
  created_at timestamptz(3) not null,
  done_at timestamptz(3),
  primary key (tenant_id, note_id),
  foreign key (tenant_id, customer_id) references customers
);
create index customer_notes_by_customer on customer_notes (tenant_id, customer_id, created_at);
create index customer_notes_due on customer_notes (tenant_id, due_on) where done_at is null;

create table invoices (
  tenant_id uuid not null references tenants,
  invoice_id uuid not null,
  origin text not null check (origin in ('local', 'erp')),
  connection_id uuid,
  -- Below row level security an index answers comparisons of bigint, and not those of numeric.
  erp_invoice_id bigint,
  invoice_number text,
  currency text check (char_length(currency) = 3),
  total_amount numeric,
  erp_invoice_open_balance numeric,
  invoice_date date,
  due_date date,
  payment_terms text,
  finalised boolean not null,
  customer_id uuid,
  customer_number text,
  customer_name text,
  contact_name text,
  customer_email text,
  business_unit text,
  customer_site text,
  search_text text not null,
  sort_name text not null,
  content_hash text,
  last_synced_at timestamptz(3),
  missing_since timestamptz(3),
  retired_at timestamptz(3),
  voided_at timestamptz(3),
  collection_status text not null check (collection_status in ('paid', 'open', 'inactive')),
  collection_outstanding numeric not null,
  amount_collected numeric not null,
  settled_elsewhere jsonb not null default '[]',
  collection_due_date date,
  erp_push_state text check (erp_push_state in ('pending', 'processing', 'posted', 'applied', 'failed', 'reversed')),
  has_held_payment boolean not null,
  has_active_payment_link boolean not null,
  has_installments boolean not null,
  -- Of an invoice that never had installments.
  not_collectible_reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (tenant_id, connection_id, erp_invoice_id),
  foreign key (tenant_id, connection_id) references erp_connections,
  foreign key (tenant_id, customer_id) references customers,
  check ((origin = 'erp') = (erp_invoice_id is not null))
);
create index invoices_by_age on invoices (tenant_id, created_at, invoice_id);
create index invoices_by_status on invoices (tenant_id, collection_status, created_at, invoice_id);
create index invoices_by_customer on invoices (tenant_id, customer_id, created_at, invoice_id);
create index invoices_by_number on invoices (tenant_id, invoice_number);
-- For filters that few rows of a large book match.
create index invoices_by_currency on invoices (tenant_id, currency, created_at, invoice_id);
create index invoices_by_push_state on invoices (tenant_id, erp_push_state, created_at, invoice_id)
  where erp_push_state is not null;
create index invoices_held on invoices (tenant_id, created_at, invoice_id) where has_held_payment;
create index invoices_linked on invoices (tenant_id, created_at, invoice_id) where has_active_payment_link;
create index invoices_live_currencies on invoices (tenant_id, currency) where retired_at is null;
-- Ranges of the list are sorted by creation time from the index alone (../keyset.ts, "few").
create index invoices_by_due_date on invoices (tenant_id, collection_due_date)
  include (created_at, invoice_id, collection_status, has_active_payment_link, currency);
create index invoices_by_update on invoices (tenant_id, updated_at) include (created_at, invoice_id);
alter table invoices add primary key (tenant_id, invoice_id);

create table installments (
  tenant_id uuid not null references tenants,
  installment_id uuid not null,
  invoice_id uuid not null,
  erp_installment_id numeric,
  sequence_number integer,
  due_date date,
  original_amount numeric,
  erp_outstanding numeric,
  closed boolean not null,
  closed_on date,
  disputed boolean not null,
  excluded boolean not null,
  removed_at timestamptz(3),
  collection_outstanding numeric not null,
  collectible boolean not null,
  not_collectible_reason text check (not_collectible_reason in
    ('retired', 'removed', 'not_finalised', 'closed', 'excluded', 'disputed',
     'nothing_outstanding', 'no_billing_email', 'currency_not_supported')),
  withdrawn_by_person_at timestamptz(3),
  withdrawn_by_person_amount numeric,
  created_at timestamptz(3) not null,
  unique (tenant_id, invoice_id, erp_installment_id),
  foreign key (tenant_id, invoice_id) references invoices,
  check (collectible = (not_collectible_reason is null))
);
create index installments_by_invoice on installments (tenant_id, invoice_id);
create index installments_owing on installments (tenant_id, due_date)
  where removed_at is null and not closed and collection_outstanding > 0;
alter table installments add primary key (tenant_id, installment_id);
