import type { Kysely } from "kysely";
import type * as aging from "./aging.ts";
import type * as audit from "./audit.ts";
import type * as erp from "./erp.ts";
import type * as identity from "./identity.ts";
import type * as invoices from "./invoices.ts";
import type * as mail from "./mail.ts";
import type * as paymentLinks from "./payment-links.ts";
import type * as payments from "./payments.ts";
import type * as requests from "./requests.ts";
import type * as workflows from "./workflows.ts";
import type * as workspace from "./workspace.ts";

declare const ROW: unique symbol;

/** A table by the type of its rows, of which nothing is left at runtime. */
interface Table<Row> {
  readonly [ROW]?: Row;
}

const table = <Row>(): Table<Row> => ({});

const TENANT = {
  tenants: table<workspace.TenantRow>(),
  members: table<workspace.MemberRow>(),
  assistant_connections: table<identity.AssistantConnectionRow>(),
  api_keys: table<identity.ApiKeyRow>(),
  audit_entries: table<audit.AuditEntryRow>(),
  erp_connections: table<erp.ErpConnectionRow>(),
  sync_runs: table<erp.SyncRunRow>(),
  set_aside_invoices: table<erp.SetAsideInvoiceRow>(),
  customers: table<invoices.CustomerRow>(),
  customer_notes: table<invoices.CustomerNoteRow>(),
  invoices: table<invoices.InvoiceRow & invoices.LocalInvoiceColumns>(),
  installments: table<invoices.InstallmentRow>(),
  tasks: table<workflows.TaskRow>(),
  payment_integrations: table<payments.PaymentIntegrationRow>(),
  attention_items: table<payments.AttentionItemRow>(),
  payment_links: table<paymentLinks.PaymentLinkRow>(),
  link_emails: table<paymentLinks.LinkEmailRow>(),
  payments: table<payments.PaymentRow>(),
  workflows: table<workflows.WorkflowRow>(),
  workflow_executions: table<workflows.WorkflowExecutionRow>(),
  workflow_work: table<workflows.WorkflowWorkRow>(),
  outgoing_mails: table<mail.OutgoingMailRow>(),
  member_news: table<mail.MemberNewsRow>(),
  mail_settings: table<mail.MailSettingsRow>(),
  customer_mailing: table<mail.CustomerMailingRow>(),
  invitations: table<workspace.InvitationRow>(),
  aging_state: table<aging.AgingStateRow>(),
  aging_debts: table<aging.AgingDebtRow>(),
  aging_customers: table<aging.AgingCustomerRow>(),
  aging_totals: table<aging.AgingTotalRow>(),
  invoice_figures: table<aging.InvoiceFigureRow>(),
  invoice_totals: table<aging.InvoiceTotalRow>(),
  aging_days: table<aging.AgingDayRow>(),
  aging_closings: table<aging.AgingClosingRow>(),
  change_stamps: table<aging.ChangeStampRow>(),
  renamed_members: table<aging.RenamedMemberRow>(),
  rate_windows: table<identity.RateWindowRow>(),
  idempotency_records: table<requests.IdempotencyRecordRow>(),
  sign_in_providers: table<identity.SignInProviderRow>(),
  sign_in_rules: table<identity.SignInRuleRow>(),
  member_identities: table<identity.MemberIdentityRow>(),
  external_connections: table<identity.ExternalConnectionRow>(),
};

const DIRECTORY = {
  tenant_routes: table<identity.TenantRouteRow>(),
  sign_in_domains: table<identity.SignInDomainRow>(),
  people: table<workspace.PersonRow>(),
  attempt_windows: table<identity.AttemptWindowRow>(),
  sign_in_failures: table<identity.SignInFailureRow>(),
  sign_in_addresses: table<identity.SignInAddressRow>(),
  oidc_artifacts: table<identity.OidcArtifactRow>(),
  signing_keys: table<identity.SigningKeyRow>(),
  web_sessions: table<identity.WebSessionRow>(),
  password_resets: table<identity.PasswordResetRow>(),
  second_factors: table<identity.SecondFactorRow>(),
  recovery_codes: table<identity.RecoveryCodeRow>(),
  job_rounds: table<requests.JobRoundRow>(),
};

type RowOf<T> = T extends Table<infer Row> ? Row : never;

/** Tables whose every row belongs to one tenant; the tenant walls guard just these. */
export type TenantTables = { [Name in keyof typeof TENANT]: RowOf<(typeof TENANT)[Name]> };

/** Names of {@link TenantTables}, for the wall that adds the tenant to every query. */
export const TENANT_TABLES: ReadonlySet<string> = new Set(Object.keys(TENANT));

/** The directory: what is known of callers before their tenant is, and what leads there. */
type DirectoryTables = { [Name in keyof typeof DIRECTORY]: RowOf<(typeof DIRECTORY)[Name]> };

/** Names of {@link DirectoryTables}: no statement has one of them and one of a tenant's. */
export const DIRECTORY_TABLES: ReadonlySet<string> = new Set(Object.keys(DIRECTORY));

export type Tables = TenantTables & DirectoryTables;

/** A connection inside an open transaction. In a tenant's, all three walls stand (ARCHITECTURE.md, tenant isolation). */
export type Transaction = Kysely<Tables>;
