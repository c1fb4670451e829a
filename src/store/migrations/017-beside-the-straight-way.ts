import { type Kysely, sql } from "kysely";
import { wall } from "./001-receivables.ts";
import { renewPrimaryKey } from "./renew-primary-key.ts";

/** Tables whose rows change here: their owner is below row level security as well, and steps out of it meanwhile. */
const CHANGED = [
  "audit_entries",
  "payments",
  "payment_links",
  "payment_integrations",
  "workflows",
  "installments",
  "invoices",
];

const STATEMENTS = [
  ...CHANGED.map((table) => `alter table ${table} no force row level security`),

  // `member` is still written by processes of an earlier version that run beside this one.
  "alter table audit_entries drop constraint audit_entries_actor_kind_check",
  "alter table audit_entries add column actor_name text",
  "update audit_entries set actor_kind = case when connection_id is null then 'person' else 'assistant' end where actor_kind = 'member'",
  `alter table audit_entries add constraint audit_entries_actor_kind_check
    check (actor_kind in ('api_key', 'assistant', 'person', 'operator', 'system', 'provider', 'member'))`,

  `alter table payments
    add column paid_at timestamptz(3),
    add column refunded_minor bigint not null default 0,
    add column disputed boolean not null default false,
    add column disputed_as_of timestamptz(3),
    add column erp_outstanding_before numeric,
    add column receipt_round integer not null default 1,
    add column push_anyway boolean not null default false,
    add column settled_by_hand_at timestamptz(3)`,
  "update payments set paid_at = confirmed_at",
  "alter table payments alter column paid_at set default now(), alter column paid_at set not null",

  `update payment_links as link set paid_at = payment.paid_at from payments as payment
    where payment.tenant_id = link.tenant_id and payment.payment_link_id = link.payment_link_id and link.paid_at is not null`,
  "alter table payment_links add column email_batch_id uuid",
  "create index payment_links_by_email_batch on payment_links (tenant_id, email_batch_id) where email_batch_id is not null",

  // Links that outlived their debt: from now on whatever moves a debt withdraws them itself.
  `with live as (
      select link.tenant_id, link.payment_link_id, link.invoice_id,
        installment.not_collectible_reason in ('retired', 'removed', 'closed', 'excluded', 'disputed', 'nothing_outstanding')
          or sum(link.amount) over (partition by link.tenant_id, link.installment_id order by link.created_at, link.payment_link_id)
            > installment.collection_outstanding as beyond
      from payment_links as link
      join installments as installment
        on installment.tenant_id = link.tenant_id and installment.installment_id = link.installment_id
      where link.state = 'active' and link.paid_at is null
    ), withdrawn as (
      update payment_links as link
      set state = 'deactivated', deactivated_at = now(), withdrawal_due = true, reserved_until = now(),
        email_status = case link.email_status when 'scheduled' then 'cancelled' else link.email_status end
      from live
      where live.beyond and link.tenant_id = live.tenant_id and link.payment_link_id = live.payment_link_id
      returning link.tenant_id, link.payment_link_id
    )
    insert into audit_entries (tenant_id, entry_id, at, actor_kind, actor_name, operation, object_type, object_id, outcome, request_id)
    select tenant_id, gen_random_uuid(), now(), 'system', 'reconciliation', 'deactivatePaymentLink', 'payment_link',
      payment_link_id::text, 'succeeded', gen_random_uuid()::text
    from withdrawn`,
  `update invoices as invoice set has_active_payment_link = false
    where invoice.has_active_payment_link and not exists (
      select from payment_links as link
      where link.tenant_id = invoice.tenant_id and link.invoice_id = invoice.invoice_id and link.state = 'active')`,

  "alter table installments add column withdrawn_by_person_at timestamptz(3), add column withdrawn_by_person_amount numeric",

  "alter table workflows add column days_before_due integer check (days_before_due between 0 and 365)",
  "update workflows set days_before_due = 7 where type = 'auto_generate'",

  `alter table payment_integrations
    add column livemode boolean,
    add column forgotten_at timestamptz(3),
    add column events_read_to timestamptz(3),
    add column events_due_at timestamptz(3),
    add column events_lease_expires_at timestamptz(3)`,
  "update payment_integrations set livemode = false where provider = 'sandbox'",
  // Stripe's links tell in their address which of the two they are; an integration without any learns it from its key.
  `update payment_integrations as integration set livemode = (
      select link.url not like 'https://%/test\\_%' from payment_links as link
      where link.tenant_id = integration.tenant_id and link.payment_integration_id = integration.payment_integration_id
        and link.url is not null
      order by link.created_at desc limit 1)
    where integration.provider = 'stripe' and integration.api_base is null`,
  "create index payment_integrations_events_due on payment_integrations (events_due_at) where events_due_at is not null",

  `create table attention_items (
    tenant_id uuid not null references tenants,
    attention_item_id uuid not null,
    kind text not null check (kind in ('payment_refunded', 'payment_disputed', 'payment_over_owed', 'payment_in_other_currency')),
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
  )`,
  "create index attention_items_open on attention_items (tenant_id, created_at, attention_item_id) where resolved_at is null",
  ...wall("attention_items").split(";\n"),

  ...CHANGED.map((table) => `alter table ${table} force row level security`),
];

/** What completions §12 keeps of payments, links and integrations, and who acts (§1). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) if (statement.trim() !== "") await sql.raw(statement).execute(db);
  for (const table of ["payments", "payment_integrations", "installments"]) await renewPrimaryKey(db, table);
}
