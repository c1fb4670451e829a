/**
 * Rows as the store holds them. Amounts are exact decimal strings, dates `YYYY-MM-DD`, instants ISO 8601 UTC with
 * milliseconds; both drivers are told to hand them over that way.
 */
import type { ColumnType, Generated } from "kysely";

type Amount = string;
type PlainDate = string;
type Instant = string;

/** What every row has that a worker claims (src/store/work-queue.ts). */
export interface LeaseColumns {
  /** The claim of the worker that is at it, new each time; it writes nothing once the row has another. */
  claim_id: Generated<string | null>;
  /** Until when that worker may be believed at work; null while nobody is. */
  lease_expires_at: Generated<Instant | null>;
}

/** The same of work that is tried again. */
export interface WorkColumns extends LeaseColumns {
  /** How often it was claimed since it last was new. */
  attempts: Generated<number>;
  next_attempt_at: Instant | null;
}

export interface TenantRow {
  tenant_id: string;
  name: string;
  timezone: string;
  api_access: boolean;
  assistant_access: boolean;
  /** `read`: whatever its connections were granted, they only read. */
  assistants: Generated<"read" | "write">;
  created_at: Instant;
}

export interface PersonRow {
  person_id: string;
  /** Lower case. */
  email: string;
  name: string | null;
  password_hash: string | null;
  created_at: Instant;
}

export interface MemberRow {
  tenant_id: string;
  member_id: string;
  person_id: string;
  role: "admin" | "member";
  created_at: Instant;
  removed_at: Instant | null;
}

export interface AssistantConnectionRow {
  tenant_id: string;
  connection_id: string;
  member_id: string;
  client_id: string;
  client_name: string;
  client_uri: string | null;
  /** Host that the answer to the approval went to, or the scheme of an app; null where nobody noted it. */
  answered_at_host: Generated<string | null>;
  /** Space-separated. */
  scopes: string;
  /** Those of `scopes` that a person gave on the page of connections: tokens of before have them too. */
  given_scopes: Generated<string>;
  /** Those that a person took away: tokens of an external issuer do not bring them back. */
  withheld_scopes: Generated<string>;
  created_at: Instant;
  last_used_at: Instant | null;
  revoked_at: Instant | null;
  /** The member who revoked it; null when it was revoked by a replayed token or an operator. */
  revoked_by: string | null;
}

export interface ApiKeyRow {
  tenant_id: string;
  key_id: string;
  name: string;
  permission: "admin" | "readonly";
  key_hash: string;
  created_at: Instant;
  last_used_at: Instant | null;
  /** Every request writes both: what it finds as the latest use moves here. */
  previous_use_at: Generated<Instant | null>;
  revoked_at: Instant | null;
}

export interface AuditEntryRow {
  tenant_id: string;
  entry_id: string;
  at: Instant;
  /** completions §1; an entry of an earlier version that ran beside this one may say `member`. */
  actor_kind: "api_key" | "assistant" | "person" | "operator" | "system" | "provider";
  /** Key, member or payment integration id; null for an operator or the service itself. */
  actor_id: string | null;
  /** The job or workflow of the service that acted. */
  actor_name: string | null;
  /** The assistant connection the person acted through, if any. */
  connection_id: string | null;
  operation: string;
  object_type: string | null;
  object_id: string | null;
  outcome: "succeeded" | "refused" | "failed";
  request_id: string;
  /** What else there is to say, as JSON, such as the address of a sign-in. */
  details: ColumnType<AuditDetails | null, string | null | undefined, never>;
}

/** Short texts by name: an address, a way to sign in, scopes. */
export type AuditDetails = Readonly<Record<string, string>>;

export interface ErpConnectionRow {
  tenant_id: string;
  connection_id: string;
  provider: "oracle_fusion";
  status: "connected" | "requires_reauthentication" | "temporarily_unavailable" | "disconnected";
  base_url: string;
  /** What the address may lead to: the internet for one that a person entered, anything for an operator's. */
  address_reach: "public" | "any";
  username: string;
  /** Encrypted (src/core/shared/secrets.ts); null when no credential is held. */
  credential: string | null;
  sync_enabled: boolean;
  auto_sync_enabled: boolean;
  auto_sync_interval_minutes: number;
  pull_invoice_date_from: PlainDate | null;
  pull_contact_name: boolean;
  payment_push_mode: "automatic" | "held";
  apply_mode: "rest_action" | "automatch";
  /** The way of payment that receipts name; one of those the ERP's users have set up. */
  receipt_method: string;
  last_sync_at: Instant | null;
  last_successful_sync_at: Instant | null;
  /** Runs in a row, the latest included, that the ERP did not answer. */
  unreachable_runs: number;
  created_at: Instant;
}

export interface SyncRunRow extends LeaseColumns {
  tenant_id: string;
  sync_run_id: string;
  connection_id: string;
  trigger: "manual" | "scheduled";
  status: "running" | "succeeded" | "failed";
  started_at: Instant;
  finished_at: Instant | null;
  /** The connection's `pull_invoice_date_from` when the run started. */
  pull_from: PlainDate | null;
  /** Every invoice up to this ERP id has been read by this run; `Infinity` once it read them all. */
  read_through: string | null;
  invoices_read: Generated<number>;
  invoices_created: Generated<number>;
  invoices_updated: Generated<number>;
  invoices_retired: Generated<number>;
  error_code: "authentication_failed" | "erp_unreachable" | "erp_rejected" | "interrupted" | "internal_error" | null;
  error_message: string | null;
  /** Whether it may be the last that read some invoice: until a later run has read at least as much. */
  covers: Generated<boolean>;
}

export interface CustomerRow {
  tenant_id: string;
  customer_id: string;
  connection_id: string;
  /** The ERP's id; or what stands for it where the ERP gives none (src/core/invoices/delivered-invoice.ts). */
  erp_customer_id: string;
  number: string | null;
  name: string | null;
  contact_name: string | null;
  /** Billing email as the ERP's account record has it. */
  email: string | null;
  /** The workspace's own billing email, which wins. */
  email_override: string | null;
  /** Folded name and number, for literal search. */
  search_text: string;
  /** Folded name, for ordering. */
  sort_name: string;
  created_at: Instant;
}

export interface InvoiceRow {
  tenant_id: string;
  invoice_id: string;
  origin: "local" | "erp";
  connection_id: string | null;
  /** A whole number of 64 bits: kept as text in code. */
  erp_invoice_id: string | null;
  invoice_number: string | null;
  currency: string | null;
  total_amount: Amount | null;
  erp_invoice_open_balance: Amount | null;
  invoice_date: PlainDate | null;
  due_date: PlainDate | null;
  payment_terms: string | null;
  /** The part of the company that is owed the money, as the ERP names it. */
  business_unit: string | null;
  /** False for every ERP status but `Complete` (completions §9). Always true for local invoices. */
  finalised: boolean;
  customer_id: string | null;
  customer_number: string | null;
  customer_name: string | null;
  /** Which of the customer's sites the ERP bills. */
  customer_site: string | null;
  contact_name: string | null;
  customer_email: string | null;
  search_text: string;
  sort_name: string;
  /** Hash of what the ERP delivered; an equal one means the row needs no write. */
  content_hash: string | null;
  /** When the row was last written by a read; a later run that covers it moves the figure on the wire. */
  last_synced_at: Instant | null;
  /** Start of the run that did not find the invoice, until it is found again. */
  missing_since: Instant | null;
  retired_at: Instant | null;
  collection_status: "paid" | "open" | "inactive";
  collection_outstanding: Amount;
  amount_collected: Amount;
  collection_due_date: PlainDate | null;
  erp_push_state: "pending" | "processing" | "posted" | "applied" | "failed" | "reversed" | null;
  has_held_payment: boolean;
  has_active_payment_link: boolean;
  /** True once the invoice ever had an installment, a removed one included (completions §9, invoice-only mode). */
  has_installments: boolean;
  created_at: Instant;
  updated_at: Instant;
}

export interface InstallmentRow {
  tenant_id: string;
  installment_id: string;
  invoice_id: string;
  erp_installment_id: string | null;
  sequence_number: number | null;
  due_date: PlainDate | null;
  original_amount: Amount | null;
  erp_outstanding: Amount | null;
  closed: boolean;
  disputed: boolean;
  excluded: boolean;
  removed_at: Instant | null;
  collection_outstanding: Amount;
  collectible: boolean;
  not_collectible_reason:
    | "retired"
    | "removed"
    | "not_finalised"
    | "closed"
    | "excluded"
    | "disputed"
    | "nothing_outstanding"
    | "no_billing_email"
    | "currency_not_supported"
    | null;
  created_at: Instant;
  /** When a person last withdrew a link on it, and what it owed then; null once somebody made another (completions §12). */
  withdrawn_by_person_at: Instant | null;
  withdrawn_by_person_amount: Amount | null;
}

export interface TaskRow {
  tenant_id: string;
  task_id: string;
  type: "payment_arrangement";
  invoice_id: string;
  assignee_id: string | null;
  state: "open" | "configured" | "dismissed" | "not_needed";
  configured_at: Instant | null;
  dismissed_at: Instant | null;
  created_at: Instant;
}

export interface PaymentIntegrationRow {
  tenant_id: string;
  payment_integration_id: string;
  provider: "stripe" | "sandbox";
  status: "connected" | "disconnected";
  /** Space-separated ISO 4217 codes it can charge. */
  currencies: string;
  created_at: Instant;
  /** Encrypted JSON of the provider's keys (src/core/shared/secrets.ts); null for a provider without any, or disconnected. */
  secrets: string | null;
  /** Where the provider's API is reached, when not at its own address. */
  api_base: string | null;
  /** The provider's name for the account, which must not change under an integration. */
  account: string | null;
  /** Real money moves (completions §12); null where an earlier version connected it and no link tells. */
  livemode: boolean | null;
  /** From then on nothing of it vouches for a payment any more. */
  forgotten_at: Instant | null;
  /** The provider's list of events was read up to here. */
  events_read_to: Instant | null;
  /** When that list is read next; null while it cannot be. */
  events_due_at: Instant | null;
  events_lease_expires_at: Instant | null;
  /** Why the list could not be read the last time; public. Null when it was, or never had to be. */
  events_problem: string | null;
}

/** What needs a person, and follows from no state of a payment or connection (completions §12). */
export interface AttentionItemRow {
  tenant_id: string;
  attention_item_id: string;
  kind: "payment_refunded" | "payment_disputed" | "payment_over_owed" | "payment_in_other_currency";
  /** What it is about, once per kind: the provider's id of the payment. */
  subject: string;
  payment_id: string | null;
  payment_link_id: string | null;
  invoice_id: string | null;
  /** Refunded, disputed, above what was owed, or taken in another currency; integer in minor units, as text. */
  amount_minor: string | null;
  currency: string | null;
  occurred_at: Instant;
  created_at: Instant;
  /** When a person said that it is dealt with. */
  resolved_at: Instant | null;
}

/** Work while it is reserved, or its provider has yet to be told of its withdrawal. */
export interface PaymentLinkRow extends WorkColumns {
  tenant_id: string;
  payment_link_id: string;
  /** The request that reserved the link; links of one request come into being together, or none does. */
  reservation_id: string;
  /** JSON of whom the audit entry is to name once it is known what became of the reservation; null after that. */
  reserved_by: string | null;
  invoice_id: string;
  installment_id: string;
  payment_integration_id: string;
  /** Integer in the currency's ISO 4217 minor unit, as text. */
  amount_minor: string;
  amount: Amount;
  currency: string;
  /** What the customer reads that they pay for. A provider is told the same at every attempt. */
  description: string;
  /**
   * `reserved`: counts against the installment, the provider has yet to make it. `withdrawn`: a reservation that came to
   * nothing; never shown. The others are the wire's `status` (completions §4).
   */
  state: "reserved" | "active" | "paid" | "deactivated" | "withdrawn";
  provider_link_id: string | null;
  url: string | null;
  /** The provider has yet to be told that the link is withdrawn. */
  withdrawal_due: Generated<boolean>;
  created_by_kind: "api_key" | "member" | "workflow";
  created_by_id: string;
  /** The assistant connection it was issued through. */
  created_through: Generated<string | null>;
  created_at: Instant;
  paid_at: Instant | null;
  deactivated_at: Instant | null;
  email_status: "scheduled" | "sent" | "cancelled" | "failed" | null;
  email_to: string | null;
  email_send_at: Instant | null;
  email_sent_at: Instant | null;
  email_attempts: Generated<number>;
  email_next_attempt_at: Instant | null;
  email_lease_expires_at: Instant | null;
  /** The message its email goes out in, with those of other links of the customer. */
  email_batch_id: Generated<string | null>;
  /** A person chose its time: it goes out then, whatever else the customer was sent that day. */
  email_moved_by_person: Generated<boolean>;
  /** Turning its workflow off cancelled it, and turning that on schedules it again. */
  email_cancelled_with_workflow: Generated<boolean>;
}

/** Work while its receipt has to be pushed. */
export interface PaymentRow extends WorkColumns {
  tenant_id: string;
  payment_id: string;
  invoice_id: string;
  installment_id: string | null;
  currency: string;
  amount: Amount;
  confirmed_at: Instant;
  erp_push_status: "held" | "pending" | "processing" | "posted" | "applied" | "failed" | "reversed" | null;
  /** When the receipt was applied in the ERP; null of an applied one while that is in doubt. */
  applied_at: Instant | null;
  /** When a sync run that started after `applied_at` read the invoice: from then on its balance includes the payment. */
  reflected_at: Instant | null;
  created_at: Instant;
  payment_link_id: string | null;
  /** Integer in the currency's minor unit, as text. */
  amount_minor: string | null;
  payment_integration_id: string | null;
  /** The provider's id of the payment: each is counted once. */
  provider_payment_id: string | null;
  /** Public. */
  erp_push_error: string | null;
  erp_receipt_number: string | null;
  erp_receipt_id: string | null;
  push_first_attempt_at: Instant | null;
  /** When a receipt that the ERP has is looked at again; null is never, or not yet known. */
  next_look_at: Instant | null;
  /** Of its invoice, written by the database itself: the ERP in whose line the receipt waits. */
  connection_id: Generated<string | null>;
  /** Of the demo: not pushed until a person says so. */
  push_put_off: Generated<boolean>;
  /** A `failed` push, or one `posted` and not applied, that is tried again by itself: the ERP was unreachable (service.md §3.3). */
  push_retryable: Generated<boolean>;
  /** When the money was paid, as the provider says; `confirmed_at` is when the service learnt of it (completions §12). */
  paid_at: Instant;
  /** All refunds at the provider so far, in minor units, as text; moves no other figure. */
  refunded_minor: Generated<string>;
  disputed: Generated<boolean>;
  /** When what `disputed` says was so at the provider: what is told late does not undo it. */
  disputed_as_of: Generated<Instant | null>;
  /** What the ERP showed as owed on the installment when the payment was recorded; null where it has none. */
  erp_outstanding_before: Generated<Amount | null>;
  /** When that was read from the ERP. */
  erp_outstanding_read_at: Generated<Instant | null>;
  /** Counts the receipts made for the payment: a reversed one is followed by another, of a number of its own. */
  receipt_round: Generated<number>;
  /** A person said to push it although the ERP's balance seems to hold the money. */
  push_anyway: Generated<boolean>;
  /** When a person said that the ERP has the money by a receipt of its own, whose number is `erp_receipt_number`. */
  settled_by_hand_at: Generated<Instant | null>;
}

export interface WorkflowRow {
  tenant_id: string;
  workflow_id: string;
  type: "auto_generate" | "payment_arrangement";
  name: string;
  enabled: boolean;
  /** `payment_arrangement`: matches invoices of at least this amount, in their own currency. */
  minimum_amount: Amount | null;
  /** `payment_arrangement`: matches these customers; space-separated ids. */
  customer_ids: string | null;
  /** `payment_arrangement`: the member who is notified. */
  assignee_id: string | null;
  /** `auto_generate`: time of day, `HH:MM` in the workspace's timezone, at which links are mailed. */
  send_at: string | null;
  /** `auto_generate`: what falls due later than in so many days gets no link yet (completions §7). */
  days_before_due: number | null;
  created_at: Instant;
  updated_at: Instant;
}

export interface WorkflowExecutionRow {
  tenant_id: string;
  workflow_execution_id: string;
  workflow_id: string;
  invoice_id: string;
  status: "succeeded" | "skipped" | "failed";
  outcome: "link_created" | "task_opened" | "none";
  /** Public. */
  reason: string | null;
  started_at: Instant;
  finished_at: Instant;
}

/** An invoice that the workflows have yet to look at: something moved it. */
export interface WorkflowWorkRow extends WorkColumns {
  tenant_id: string;
  invoice_id: string;
  next_attempt_at: Instant;
  /** Since when it waits. */
  queued_at: Generated<Instant>;
}

/** A message to one of the workspace's own people. */
export interface OutgoingMailRow extends WorkColumns {
  tenant_id: string;
  mail_id: string;
  kind: "task_assigned" | "invitation" | "assistant_connected" | "assistant_extended";
  recipient: string;
  /** The task, the invitation or the assistant connection. */
  subject_id: string;
  /** `cancelled`: its occasion had passed before it was sent. */
  status: "queued" | "sent" | "cancelled" | "failed";
  next_attempt_at: Instant;
  created_at: Instant;
  sent_at: Instant | null;
}

/** A workspace's word that whoever reads the mail of an address may join it, until then. */
export interface InvitationRow {
  tenant_id: string;
  invitation_id: string;
  /** Lower case. */
  email: string;
  role: "admin" | "member";
  /** SHA-256 of the token in the mail's link. */
  token_hash: string;
  /** The member who invited; their removal or demotion withdraws it. */
  invited_by: string;
  created_at: Instant;
  expires_at: Instant;
  accepted_at: Instant | null;
  withdrawn_at: Instant | null;
}

/** The day the aging roll-up of a workspace stands at; whoever changes the roll-up holds the row. */
export interface AgingStateRow {
  tenant_id: string;
  /** Null until the roll-up is built. */
  as_of: PlainDate | null;
  /** The latest committed instant that callers poll by: `updated_at` of invoices, `confirmed_at` of payments. */
  stamped_at: Instant | null;
}

/** A debt that counts in aging reports (service.md §4.10 rule 1), as they show it. */
export interface AgingDebtRow {
  tenant_id: string;
  invoice_id: string;
  /** The installment, or of an invoice that never had any the invoice itself. */
  debt_id: string;
  customer_id: string | null;
  currency: string;
  due_date: PlainDate;
  amount: Amount;
  sequence_number: number | null;
  installment_count: number;
  collectible: boolean;
  invoice_number: string;
  /** Hash of all the rest as a number: those of many rows add up. */
  digest: string;
}

type Bucket = 0 | 1 | 2 | 3 | 4;

/** The debts of a customer in one currency by bucket, `current` first. */
export interface AgingCustomerRow
  extends Record<`amount_${Bucket}` | `digest_${Bucket}`, string>,
    Record<`debts_${Bucket}` | `invoices_${Bucket | "overdue" | "all"}`, number> {
  tenant_id: string;
  /** service.md §2.6. */
  customer_key: string;
  currency: string;
  customer_id: string | null;
  customer_name: string;
  customer_number: string | null;
  search_text: string;
  sort_name: string;
  /** Hash of key, name and number. */
  identity: string;
}

/** The debts of all customers in one currency; counts are 64 bits wide and come as text. */
export interface AgingTotalRow
  extends Record<`amount_${Bucket}` | `debts_${Bucket}` | `digest_${Bucket}`, string>,
    Record<`customers_${Bucket | "overdue" | "all"}`, string> {
  tenant_id: string;
  currency: string;
}

export interface RateWindowRow {
  tenant_id: string;
  subject: string;
  window_start: Instant;
  hits: number;
}

/** What a request that is carried out once was answered (service.md §8). */
export interface IdempotencyRecordRow {
  tenant_id: string;
  /** `workspace` for all its API keys, or `connection:<id>`. */
  caller: string;
  operation: string;
  idempotency_key: string;
  /** SHA-256 of what was asked of `operation`. */
  request_hash: string;
  /** JSON; null while the request is still at work outside the store. */
  response: string | null;
  /** JSON of what the request reserved before it went to work outside the store. */
  reservation: string | null;
  /** Until when whoever works on it may be believed alive. */
  held_until: Instant | null;
  created_at: Instant;
}

/** A workspace's OpenID provider, at which its members sign in. */
export interface SignInProviderRow {
  tenant_id: string;
  issuer: string;
  client_id: string;
  /** Encrypted (src/core/shared/secrets.ts). */
  client_secret: string;
  /** Emails of the provider count as verified without its saying so. */
  trust_email: boolean;
  created_at: Instant;
}

/** A domain of email addresses whose people are sent to the workspace's provider. */
export interface SignInDomainRow {
  tenant_id: string;
  /** Lower case. */
  domain: string;
}

/** A member as an issuer knows them. */
export interface MemberIdentityRow {
  tenant_id: string;
  identity_id: string;
  member_id: string;
  issuer: string;
  subject: string;
  created_at: Instant;
  /** When it was taken back; it is not made again by itself. */
  removed_at: Instant | null;
}

/** Which connection the tokens of an external issuer belong to. */
export interface ExternalConnectionRow {
  tenant_id: string;
  connection_id: string;
  identity_id: string;
  /** SHA-256 of issuer, subject, client and session. */
  key_hash: string;
  /** Since when its tokens may make a new connection, after this one was revoked. */
  allowed_again_at: Instant | null;
}

export interface AttemptWindowRow {
  subject: string;
  window_start: Instant;
  hits: number;
}

export interface SignInFailureRow {
  subject: string;
  failures: number;
  last_at: Instant;
}

/** An address that a person signed in from, as a keyed digest. */
export interface SignInAddressRow {
  person_id: string;
  address_hash: string;
  last_at: Instant;
}

export interface OidcArtifactRow {
  model: string;
  /** SHA-256 of the artifact's id: an opaque token cannot be read out of the store. */
  id_hash: string;
  payload: ColumnType<Record<string, unknown>, string, string>;
  grant_id: string | null;
  uid: string | null;
  consumed_at: Instant | null;
  expires_at: Instant | null;
}

export interface SigningKeyRow {
  kid: string;
  /** Encrypted JWK (src/core/shared/secrets.ts). */
  private_jwk: string;
  created_at: Instant;
  retired_at: Instant | null;
}

/** A round of work that one process does for all. */
export interface JobRoundRow {
  job: string;
  /** The process that began it last. */
  worker_id: string;
  /** Until when that process may be believed at work; null once it has ended. */
  lease_expires_at: Instant | null;
  /** When the latest round that was done began. */
  done_at: Instant | null;
}

export interface WebSessionRow {
  session_hash: string;
  person_id: string;
  /** The one workspace whose provider vouched for the person; null for a sign-in that counts for all of theirs. */
  tenant_id: string | null;
  created_at: Instant;
  expires_at: Instant;
}

/** Tables whose every row belongs to one tenant; the tenant walls guard just these. */
export interface TenantTables {
  tenants: TenantRow;
  members: MemberRow;
  assistant_connections: AssistantConnectionRow;
  api_keys: ApiKeyRow;
  audit_entries: AuditEntryRow;
  erp_connections: ErpConnectionRow;
  sync_runs: SyncRunRow;
  customers: CustomerRow;
  invoices: InvoiceRow;
  installments: InstallmentRow;
  tasks: TaskRow;
  payment_integrations: PaymentIntegrationRow;
  attention_items: AttentionItemRow;
  payment_links: PaymentLinkRow;
  payments: PaymentRow;
  workflows: WorkflowRow;
  workflow_executions: WorkflowExecutionRow;
  workflow_work: WorkflowWorkRow;
  outgoing_mails: OutgoingMailRow;
  invitations: InvitationRow;
  aging_state: AgingStateRow;
  aging_debts: AgingDebtRow;
  aging_customers: AgingCustomerRow;
  aging_totals: AgingTotalRow;
  rate_windows: RateWindowRow;
  idempotency_records: IdempotencyRecordRow;
  sign_in_providers: SignInProviderRow;
  sign_in_domains: SignInDomainRow;
  member_identities: MemberIdentityRow;
  external_connections: ExternalConnectionRow;
}

/** Identity and protocol state that exists before a tenant is known; reached by the system role alone. */
export interface GlobalTables {
  people: PersonRow;
  attempt_windows: AttemptWindowRow;
  sign_in_failures: SignInFailureRow;
  sign_in_addresses: SignInAddressRow;
  oidc_artifacts: OidcArtifactRow;
  signing_keys: SigningKeyRow;
  web_sessions: WebSessionRow;
  job_rounds: JobRoundRow;
}

export type Tables = TenantTables & GlobalTables;

/** Names of {@link TenantTables}, for the wall that adds the tenant to every query. */
export const TENANT_TABLES: ReadonlySet<string> = new Set<keyof TenantTables>([
  "tenants",
  "members",
  "assistant_connections",
  "api_keys",
  "audit_entries",
  "erp_connections",
  "sync_runs",
  "customers",
  "invoices",
  "installments",
  "tasks",
  "payment_integrations",
  "attention_items",
  "payment_links",
  "payments",
  "workflows",
  "workflow_executions",
  "workflow_work",
  "outgoing_mails",
  "invitations",
  "aging_state",
  "aging_debts",
  "aging_customers",
  "aging_totals",
  "rate_windows",
  "idempotency_records",
  "sign_in_providers",
  "sign_in_domains",
  "member_identities",
  "external_connections",
]);
