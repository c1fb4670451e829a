create table payment_links (
  tenant_id uuid not null references tenants,
  payment_link_id uuid not null,
  reservation_id uuid not null,
  reserved_by text,
  invoice_id uuid not null,
  installment_id uuid not null,
  payment_integration_id uuid not null,
  amount_minor bigint not null check (amount_minor > 0),
  amount numeric not null check (amount > 0),
  currency text not null,
  description text not null,
  state text not null check (state in ('reserved', 'active', 'paid', 'deactivated', 'withdrawn')),
  provider_link_id text,
  url text,
  withdrawal_due boolean not null default false,
  created_by_kind text not null check (created_by_kind in ('api_key', 'member', 'workflow')),
  created_by_id uuid not null,
  -- The assistant connection that issued it: how many it may issue in an hour is counted by it.
  created_through uuid,
  created_at timestamptz(3) not null,
  paid_at timestamptz(3),
  deactivated_at timestamptz(3),
  claim_id uuid,
  lease_expires_at timestamptz(3),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  foreign key (tenant_id, invoice_id) references invoices,
  foreign key (tenant_id, installment_id) references installments,
  foreign key (tenant_id, payment_integration_id) references payment_integrations,
  check ((state in ('active', 'paid', 'deactivated')) <= (url is not null))
);
create index payment_links_by_age on payment_links (tenant_id, created_at, payment_link_id);
create index payment_links_by_invoice on payment_links (tenant_id, invoice_id);
create index payment_links_by_installment on payment_links (tenant_id, installment_id);
create index payment_links_by_reservation on payment_links (tenant_id, reservation_id);
create index payment_links_by_provider on payment_links (tenant_id, provider_link_id);
create index payment_links_by_connection on payment_links (tenant_id, created_through, created_at)
  where created_through is not null;
create index payment_links_ready on payment_links
  (tenant_id, (coalesce(lease_expires_at, next_attempt_at)), payment_link_id)
  where state = 'reserved' or withdrawal_due;
create index payment_links_waiting on payment_links (coalesce(deactivated_at, paid_at, created_at))
  where state = 'reserved' or withdrawal_due;
alter table payment_links add primary key (tenant_id, payment_link_id);

create table link_emails (
  tenant_id uuid not null references tenants,
  payment_link_id uuid not null,
  status text not null check (status in ('scheduled', 'sent', 'cancelled', 'failed')),
  recipient text not null,
  send_at timestamptz(3) not null,
  sent_at timestamptz(3),
  message_id uuid,
  moved_by_person boolean not null default false,
  -- When a cancelled one is scheduled again: its workflow was turned off, or its live link could not be mailed when it was due
  -- (its customer was mailed nothing, had no address, or the debt was not collectible). Null is never.
  cancelled_until text check (cancelled_until in ('workflow_on', 'mailable')),
  check (cancelled_until is null or status = 'cancelled'),
  -- Why it failed, in a code and in the mail server's words.
  failure text check (failure in ('rejected', 'not_taken', 'unsendable')),
  server_codes text,
  server_words text,
  failed_at timestamptz(3),
  claim_id uuid,
  lease_expires_at timestamptz(3),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  primary key (tenant_id, payment_link_id),
  foreign key (tenant_id, payment_link_id) references payment_links
);
create index link_emails_ready on link_emails
  (tenant_id, (coalesce(lease_expires_at, next_attempt_at)), payment_link_id)
  where status = 'scheduled' and next_attempt_at is not null;
create index link_emails_astray on link_emails
  (tenant_id, (coalesce(lease_expires_at, next_attempt_at)), payment_link_id)
  where status = 'scheduled' and next_attempt_at is not null
    and (lease_expires_at is not null or next_attempt_at - send_at > interval '2 hours');
create index link_emails_by_message on link_emails (tenant_id, message_id) where message_id is not null;
create index link_emails_to on link_emails (tenant_id, recipient) where status = 'scheduled';
create index link_emails_sent on link_emails (tenant_id, recipient, sent_at) where status = 'sent';
create index link_emails_rejected on link_emails (tenant_id, failed_at) where failed_at is not null;
create index link_emails_waiting on link_emails (send_at) where status = 'scheduled' and next_attempt_at is not null;
