import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import type { Store } from "../../src/store/store.ts";
import type { InstallmentRow } from "../../src/store/tables/invoices.ts";
import type { OutgoingMailRow } from "../../src/store/tables/mail.ts";
import type { PaymentLinkRow } from "../../src/store/tables/payment-links.ts";
import type { PaymentIntegrationRow, PaymentRow } from "../../src/store/tables/payments.ts";
import type { WorkflowExecutionRow, WorkflowRow } from "../../src/store/tables/workflows.ts";
import { BOOK_TIME } from "./book.ts";
import type { NewLink } from "./emailed-links.ts";
import { syncRunRow, taskRow } from "./rows.ts";
import { addRows } from "./stored.ts";

/** A sandbox that charges what books are in. */
export function integrationRow(tenantId: string, row: Partial<PaymentIntegrationRow> = {}): PaymentIntegrationRow {
  return {
    tenant_id: tenantId,
    payment_integration_id: randomUUID(),
    provider: "sandbox",
    status: "connected",
    currencies: ["EUR", "JPY", "USD"],
    created_at: BOOK_TIME,
    secrets: null,
    api_base: null,
    account: null,
    livemode: false,
    forgotten_at: null,
    events_read_to: null,
    next_attempt_at: null,
    attempts: 0,
    claim_id: null,
    lease_expires_at: null,
    events_problem: null,
    ...row,
  };
}

/** An active link of 10.00 USD that a key made, without an email. */
export function linkRow(
  {
    tenant_id: tenantId,
    invoice_id: invoiceId,
    installment_id: installmentId,
  }: Pick<InstallmentRow, "tenant_id" | "invoice_id" | "installment_id">,
  paymentIntegrationId: string,
  row: Partial<NewLink> = {},
): NewLink {
  const id = row.payment_link_id ?? randomUUID();
  return {
    tenant_id: tenantId,
    payment_link_id: id,
    reservation_id: randomUUID(),
    reserved_by: null,
    invoice_id: invoiceId,
    installment_id: installmentId,
    payment_integration_id: paymentIntegrationId,
    amount_minor: "1000",
    amount: "10.00",
    currency: "USD",
    description: "Invoice INV-1",
    state: "active",
    provider_link_id: `sandbox_link_${id}`,
    url: `https://pay.example.test/${id}`,
    next_attempt_at: null,
    created_by_kind: "api_key",
    created_by_id: randomUUID(),
    created_at: BOOK_TIME,
    paid_at: null,
    deactivated_at: null,
    ...row,
  };
}

/** A link whose email is scheduled for a day long after the book's. */
export function mailedLinkRow(installment: InstallmentRow, paymentIntegrationId: string): NewLink {
  const sendAt = "2026-12-24T08:00:00.000Z";
  return linkRow(installment, paymentIntegrationId, {
    created_by_kind: "workflow",
    email_status: "scheduled",
    email_to: "billing@globex.example.test",
    email_send_at: sendAt,
    email_next_attempt_at: sendAt,
  });
}

/** The payment of a link, its receipt queued. */
export function paymentRow(
  link: Insertable<PaymentLinkRow>,
  row: Partial<Insertable<PaymentRow>> = {},
): Insertable<PaymentRow> {
  return {
    tenant_id: link.tenant_id,
    payment_id: randomUUID(),
    invoice_id: link.invoice_id,
    installment_id: link.installment_id,
    currency: link.currency,
    amount: link.amount,
    confirmed_at: BOOK_TIME,
    paid_at: BOOK_TIME,
    erp_push_status: "pending",
    applied_at: null,
    reflected_at: null,
    created_at: BOOK_TIME,
    payment_link_id: link.payment_link_id,
    amount_minor: link.amount_minor,
    payment_integration_id: link.payment_integration_id,
    provider_payment_id: `payment_${link.payment_link_id}`,
    ...row,
  };
}

/** Auto Generate, turned on. */
export const workflowRow = (tenantId: string, row: Partial<WorkflowRow> = {}): WorkflowRow => ({
  tenant_id: tenantId,
  workflow_id: randomUUID(),
  type: "auto_generate",
  name: "Auto Generate",
  enabled: true,
  days_before_due: 7,
  minimum_amount: null,
  customer_ids: null,
  assignee_id: null,
  send_at: "09:00",
  created_at: BOOK_TIME,
  updated_at: BOOK_TIME,
  ...row,
});

/** What it did with an invoice: made a link. */
export const executionRow = (
  { tenant_id, workflow_id }: Pick<WorkflowRow, "tenant_id" | "workflow_id">,
  invoiceId: string,
  row: Partial<WorkflowExecutionRow> = {},
): WorkflowExecutionRow => ({
  tenant_id,
  workflow_execution_id: randomUUID(),
  workflow_id,
  invoice_id: invoiceId,
  status: "succeeded",
  outcome: "link_created",
  reason: null,
  started_at: BOOK_TIME,
  finished_at: BOOK_TIME,
  ...row,
});

/** A mail that waits to be sent to a member. */
export const mailRow = (tenantId: string, row: Partial<Insertable<OutgoingMailRow>> = {}) => ({
  tenant_id: tenantId,
  mail_id: randomUUID(),
  kind: "task_assigned" as const,
  recipient: "cfo@acme.example.test",
  subject_id: randomUUID(),
  status: "queued" as const,
  next_attempt_at: BOOK_TIME,
  created_at: BOOK_TIME,
  sent_at: null,
  ...row,
});

/** What a workspace has that collects, by the names of paths and queries. */
export interface Collecting {
  payment_integration_id: string;
  payment_link_id: string;
  workflow_id: string;
  payment_id: string;
}

/**
 * Furnishes a workspace with two of everything that collecting leaves behind: integrations, links, payments, workflows and
 * their executions. The one that is named is of the installment given.
 */
export async function furnishCollecting(store: Store, installment: InstallmentRow): Promise<Collecting> {
  const { tenant_id: tenantId, invoice_id: invoiceId } = installment;
  const integrations = [integrationRow(tenantId), integrationRow(tenantId, { status: "disconnected" })];
  const integrationId = integrations[0]?.payment_integration_id ?? "";
  const active = mailedLinkRow(installment, integrationId);
  const paid = linkRow(installment, integrationId, { state: "paid", paid_at: BOOK_TIME });
  const workflows = [
    workflowRow(tenantId, { name: "auto_generate", days_before_due: null }),
    workflowRow(tenantId, {
      ...{ type: "payment_arrangement", name: "payment_arrangement", days_before_due: null, send_at: null },
    }),
  ];
  const executions = workflows.map((workflow) => executionRow(workflow, invoiceId));
  const payments = [paymentRow(paid), paymentRow(paid, { provider_payment_id: "another" })] as const;
  await addRows(store, tenantId, {
    payment_integrations: integrations,
    payment_links: [active, paid],
    payments,
    workflows,
    workflow_executions: executions,
  });
  return {
    payment_integration_id: integrationId,
    payment_link_id: active.payment_link_id,
    workflow_id: workflows[0]?.workflow_id ?? "",
    payment_id: payments[0].payment_id,
  };
}

/** The same, with a task and a sync run: the ids of one of everything. */
export async function furnishAll(
  store: Store,
  { tenantId, connectionId }: { tenantId: string; connectionId: string },
  installment: InstallmentRow,
) {
  const { invoice_id, installment_id } = installment;
  const [tasks, sync_runs] = [taskRow(tenantId, invoice_id), syncRunRow(tenantId, connectionId)];
  await addRows(store, tenantId, { tasks, sync_runs });
  const { sync_run_id } = sync_runs;
  const ids = { invoice_id, installment_id, task_id: tasks.task_id, sync_run_id, connection_id: connectionId };
  return { ...(await furnishCollecting(store, installment)), ...ids };
}
