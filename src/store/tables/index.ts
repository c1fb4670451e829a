import type {
  ApiKeyRow,
  AssistantConnectionRow,
  AttemptWindowRow,
  ExternalConnectionRow,
  RateWindowRow,
} from "./access.ts";
import type {
  AgingClosingRow,
  AgingCustomerRow,
  AgingDayRow,
  AgingDebtRow,
  AgingStateRow,
  AgingTotalRow,
} from "./aging.ts";
import type { AuditEntryRow } from "./audit.ts";
import type { ErpConnectionRow, SyncRunRow } from "./erp.ts";
import type {
  MemberIdentityRow,
  OidcArtifactRow,
  SignInAddressRow,
  SignInDomainRow,
  SignInFailureRow,
  SignInProviderRow,
  SigningKeyRow,
  WebSessionRow,
} from "./identity.ts";
import type { CustomerRow, InstallmentRow, InvoiceRow } from "./invoices.ts";
import type { OutgoingMailRow } from "./mail.ts";
import type { LinkEmailRow, PaymentLinkRow } from "./payment-links.ts";
import type { AttentionItemRow, PaymentIntegrationRow, PaymentRow } from "./payments.ts";
import type { IdempotencyRecordRow, JobRoundRow } from "./requests.ts";
import type { TaskRow, WorkflowExecutionRow, WorkflowRow, WorkflowWorkRow } from "./workflows.ts";
import type { InvitationRow, MemberRow, PersonRow, TenantRow } from "./workspace.ts";

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
  link_emails: LinkEmailRow;
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
  aging_days: AgingDayRow;
  aging_closings: AgingClosingRow;
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
  "aging_days",
  "aging_closings",
  "rate_windows",
  "idempotency_records",
  "sign_in_providers",
  "sign_in_domains",
  "member_identities",
  "external_connections",
]);
