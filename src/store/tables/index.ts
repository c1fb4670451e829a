import type { Kysely } from "kysely";
import type * as access from "./access.ts";
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

/** Tables whose every row belongs to one tenant; the tenant walls guard just these. */
export interface TenantTables {
  tenants: workspace.TenantRow;
  members: workspace.MemberRow;
  assistant_connections: access.AssistantConnectionRow;
  api_keys: access.ApiKeyRow;
  audit_entries: audit.AuditEntryRow;
  erp_connections: erp.ErpConnectionRow;
  sync_runs: erp.SyncRunRow;
  customers: invoices.CustomerRow;
  invoices: invoices.InvoiceRow;
  installments: invoices.InstallmentRow;
  tasks: workflows.TaskRow;
  payment_integrations: payments.PaymentIntegrationRow;
  attention_items: payments.AttentionItemRow;
  payment_links: paymentLinks.PaymentLinkRow;
  link_emails: paymentLinks.LinkEmailRow;
  payments: payments.PaymentRow;
  workflows: workflows.WorkflowRow;
  workflow_executions: workflows.WorkflowExecutionRow;
  workflow_work: workflows.WorkflowWorkRow;
  outgoing_mails: mail.OutgoingMailRow;
  invitations: workspace.InvitationRow;
  aging_state: aging.AgingStateRow;
  aging_debts: aging.AgingDebtRow;
  aging_customers: aging.AgingCustomerRow;
  aging_totals: aging.AgingTotalRow;
  rate_windows: access.RateWindowRow;
  idempotency_records: requests.IdempotencyRecordRow;
  sign_in_providers: identity.SignInProviderRow;
  sign_in_domains: identity.SignInDomainRow;
  member_identities: identity.MemberIdentityRow;
  external_connections: access.ExternalConnectionRow;
}

/** Identity and protocol state that exists before a tenant is known; reached by the system role alone. */
export interface GlobalTables {
  people: workspace.PersonRow;
  attempt_windows: access.AttemptWindowRow;
  sign_in_failures: identity.SignInFailureRow;
  sign_in_addresses: identity.SignInAddressRow;
  oidc_artifacts: identity.OidcArtifactRow;
  signing_keys: identity.SigningKeyRow;
  web_sessions: identity.WebSessionRow;
  job_rounds: requests.JobRoundRow;
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
  "link_emails",
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

/** A connection inside an open transaction. In a tenant's, all three walls stand (ARCHITECTURE.md, tenant isolation). */
export type Transaction = Kysely<Tables>;
