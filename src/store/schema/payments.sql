create table payment_integrations (
  tenant_id uuid not null references tenants,
  payment_integration_id uuid not null,
  provider text not null check (provider in ('stripe', 'sandbox')),
  status text not null check (status in ('connected', 'disconnected')),
  currencies text[] not null,
  secrets text,
  api_base text,
  account text,
  livemode boolean,
  forgotten_at timestamptz(3),
  -- Reading the provider's list of events, and why that failed the last time.
  events_read_to timestamptz(3),
  events_problem text,
  claim_id uuid,
  lease_expires_at timestamptz(3),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index payment_integrations_by_id on payment_integrations (payment_integration_id);
create index payment_integrations_ready on payment_integrations
  (tenant_id, (coalesce(lease_expires_at, next_attempt_at)), payment_integration_id)
  where status = 'connected' and forgotten_at is null and next_attempt_at is not null;
alter table payment_integrations add primary key (tenant_id, payment_integration_id);

create table payments (
  tenant_id uuid not null references tenants,
  payment_id uuid not null,
  invoice_id uuid not null,
  installment_id uuid,
  -- The ERP whose line its receipt waits in.
  connection_id uuid,
  payment_link_id uuid,
  payment_integration_id uuid,
  provider_payment_id text,
  currency text not null,
  amount numeric not null check (amount > 0),
  amount_minor bigint,
  refunded_minor bigint not null default 0,
  disputed boolean not null default false,
  disputed_as_of timestamptz(3),
  paid_at timestamptz(3) not null,
  confirmed_at timestamptz(3) not null,
  erp_push_status text
    check (erp_push_status in ('held', 'pending', 'processing', 'posted', 'applied', 'failed', 'reversed')),
  -- A code and its parameters (../../erp-reasons.ts).
  erp_push_error jsonb,
  erp_receipt_number text,
  erp_receipt_id text,
  -- What came another way by the time of the payment: it says later by how much that was too much.
  settled_otherwise numeric not null default 0,
  -- The ERP's balance that the payment found, and when it was read: what was under way then may be in it.
  erp_outstanding_before numeric,
  erp_outstanding_read_at timestamptz(3),
  receipt_round integer not null default 1,
  applied_at timestamptz(3),
  reflected_at timestamptz(3),
  settled_by_hand_at timestamptz(3),
  push_anyway boolean not null default false,
  push_retryable boolean not null default false,
  -- Told apart from a wait for a far-off time, which is a wrong clock's.
  push_put_off boolean not null default false,
  push_first_attempt_at timestamptz(3),
  push_attempted_at timestamptz(3),
  claim_id uuid,
  lease_expires_at timestamptz(3),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  next_look_at timestamptz(3),
  created_at timestamptz(3) not null,
  foreign key (tenant_id, invoice_id) references invoices
);
create index payments_by_invoice on payments (tenant_id, invoice_id);
create unique index payments_once on payments (tenant_id, payment_integration_id, provider_payment_id);
create index payments_by_confirmation on payments (tenant_id, confirmed_at, payment_id);
create index payments_by_age on payments (tenant_id, created_at, payment_id);
-- Receipts that wait for somebody are counted without a look at all the others (../backlog.ts).
create index payments_waiting on payments (erp_push_status)
  where erp_push_status in ('held', 'failed', 'pending', 'processing') or push_retryable;
create index payments_leased on payments (tenant_id, connection_id, lease_expires_at)
  where lease_expires_at is not null;
create index payments_receipts_followed on payments (tenant_id, next_look_at)
  where erp_push_status in ('posted', 'applied');
create index payments_ready on payments
  (tenant_id, connection_id, (coalesce(lease_expires_at, next_attempt_at, created_at)), payment_id)
  where (erp_push_status in ('pending', 'processing') or push_retryable) and not push_put_off;
-- What was wanted first and is not done yet, of all workspaces together; so for all indexes named "waiting".
create index payments_waiting_longest on payments (coalesce(push_first_attempt_at, next_attempt_at, created_at))
  where (erp_push_status in ('pending', 'processing') or push_retryable) and not push_put_off;
alter table payments add primary key (tenant_id, payment_id);

create table attention_items (
  tenant_id uuid not null references tenants,
  attention_item_id uuid not null,
  kind text not null check (kind in
    ('payment_refunded', 'refund_failed', 'payment_disputed', 'payment_over_owed', 'payment_in_other_currency')),
  subject text not null,
  payment_id uuid,
  payment_link_id uuid,
  invoice_id uuid,
  amount_minor bigint,
  currency text,
  occurred_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  resolved_at timestamptz(3),
  primary key (tenant_id, attention_item_id),
  unique (tenant_id, kind, subject),
  foreign key (tenant_id, payment_id) references payments,
  foreign key (tenant_id, invoice_id) references invoices
);
create index attention_items_open on attention_items (tenant_id, created_at, attention_item_id)
  where resolved_at is null;
