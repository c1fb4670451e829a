create table outgoing_mails (
  tenant_id uuid not null references tenants,
  mail_id uuid not null,
  kind text not null check (kind in
    ('task_assigned', 'invitation', 'assistant_connected', 'assistant_extended', 'password_reset',
     'password_changed', 'password_was_reset', 'password_replaced', 'password_set', 'password_chosen',
     'factor_on', 'factor_off', 'factor_removed', 'recovery_codes_renewed', 'recovery_code_used',
     'sign_in_linked', 'sign_in_unlinked', 'news')),
  recipient text not null,
  subject_id uuid not null,
  status text not null check (status in ('queued', 'sent', 'cancelled', 'failed')),
  claim_id uuid,
  lease_expires_at timestamptz(3),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3),
  -- The time that a mail with news is about.
  news_from timestamptz(3),
  news_until timestamptz(3),
  primary key (tenant_id, mail_id)
);
create index outgoing_mails_ready on outgoing_mails
  (tenant_id, (coalesce(lease_expires_at, next_attempt_at)), mail_id) where status = 'queued';
create index outgoing_mails_waiting on outgoing_mails (created_at) where status = 'queued';

create table member_news (
  tenant_id uuid not null references tenants,
  member_id uuid not null,
  topics text[],
  pace text not null default 'morning' check (pace in ('morning', 'at_once')),
  told_until timestamptz(3) not null,
  due_at timestamptz(3) not null default 'epoch',
  primary key (tenant_id, member_id),
  foreign key (tenant_id, member_id) references members
);
-- What is due in all workspaces together.
create index member_news_due on member_news (due_at);

create table mail_settings (
  tenant_id uuid primary key references tenants,
  locale text not null,
  postal_address text,
  reply_to text,
  contact text,
  logo bytea,
  logo_width integer,
  logo_height integer,
  updated_at timestamptz(3) not null,
  check ((logo is null) = (logo_width is null) and (logo is null) = (logo_height is null))
);

create table customer_mailing (
  tenant_id uuid not null references tenants,
  customer_id uuid not null,
  locale text,
  no_mail boolean not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, customer_id),
  foreign key (tenant_id, customer_id) references customers
);
