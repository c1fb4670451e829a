import { sql } from "kysely";
import { expect } from "vitest";
import { listAttention } from "../../src/core/attention/list-attention.ts";
import { listErpConnections } from "../../src/core/erp-connections/operations/list-erp-connections.ts";
import type { ApiKeyActor } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { listInvoices } from "../../src/core/invoices/operations/list-invoices.ts";
import { listPaymentIntegrations } from "../../src/core/payment-integrations/operations/list-payment-integrations.ts";
import { listPaymentLinks } from "../../src/core/payment-links/operations/list-payment-links.ts";
import { PaymentLink, PaymentLinkStatus } from "../../src/core/payment-links/schema.ts";
import { listPayments } from "../../src/core/payments/operations/list-payments.ts";
import { PaymentPushStatus } from "../../src/core/payments/schema.ts";
import { PaymentIntegration } from "../../src/core/provider-access/schema.ts";
import { listSyncRuns } from "../../src/core/sync-runs/operations/list-sync-runs.ts";
import { listTasks } from "../../src/core/tasks/operations/list-tasks.ts";
import { planWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import {
  listWorkflowExecutions,
  listWorkflowSettings,
  listWorkflows,
} from "../../src/core/workflows/operations/list-workflows.ts";
import { ExecutionStatus, WorkflowExecution, WorkflowType } from "../../src/core/workflows/schema.ts";
import { everyRow } from "../support/every-row.ts";
import { everything, valuesOf } from "./lists.ts";

const EMAIL_STATUS = PaymentLink.shape.email.unwrap().shape.status;
const CREATED_BY = PaymentLink.shape.created_by.shape.kind;
const OUTCOME = WorkflowExecution.shape.outcome;
const { provider: PROVIDER, status: INTEGRATION_STATUS } = PaymentIntegration.shape;

/** Reads every list there is, to its end; none is empty. */
export async function readEveryList(core: Core, actor: ApiKeyActor): Promise<void> {
  const lists = [
    await everything(core, actor, listErpConnections),
    await everything(core, actor, listInvoices),
    await everything(core, actor, listPaymentIntegrations),
    await everything(core, actor, listPaymentLinks),
    await everything(core, actor, listPayments),
    await everything(core, actor, listSyncRuns),
    await everything(core, actor, listTasks),
    await everything(core, actor, listWorkflowExecutions),
    await everything(core, actor, listWorkflows),
  ];
  for (const rows of lists) expect(rows.length).toBeGreaterThan(0);
}

/** A workspace shows links, their emails and who made them in every way there is. */
export async function expectLinksOfEveryKind(core: Core, actor: ApiKeyActor): Promise<void> {
  const links = await everything(core, actor, listPaymentLinks);
  expect(valuesOf(links, (link) => link.status)).toEqual(new Set(PaymentLinkStatus.options));
  expect(valuesOf(links, (link) => link.email?.status)).toEqual(new Set([undefined, ...EMAIL_STATUS.options]));
  expect(valuesOf(links, (link) => link.created_by.kind)).toEqual(new Set(CREATED_BY.options));
  const scheduled = links.filter((link) => link.email?.status === "scheduled").map((link) => link.email?.send_at ?? "");
  const now = core.clock.now();
  const inTwoDays = new Date(now.getTime() + 2 * 86_400_000).toISOString();
  expect(scheduled.every((at) => at > now.toISOString())).toBe(true);
  expect(scheduled.some((at) => at > inTwoDays)).toBe(true);
}

/** A workspace that holds none back shows payments through links, whose receipts are in every other state. */
export async function expectReceiptsOfEveryKind(core: Core, actor: ApiKeyActor): Promise<void> {
  const payments = await everything(core, actor, listPayments);
  const statuses = PaymentPushStatus.options.filter((status) => status !== "held");
  expect(valuesOf(payments, (payment) => payment.erp_push_status)).toEqual(new Set([null, ...statuses]));
  expect(valuesOf(payments, (payment) => payment.disputed)).toEqual(new Set([false, true]));
  expect(payments.some((payment) => payment.refunded_minor > 0)).toBe(true);
  const links = new Map((await everything(core, actor, listPaymentLinks)).map((link) => [link.id, link]));
  for (const { payment_link_id: linkId, ...payment } of payments) {
    const { status, invoice_id, installment_id, amount_minor } = links.get(linkId) ?? {};
    expect({ status, invoice_id, installment_id, amount_minor }).toEqual({
      status: "paid",
      invoice_id: payment.invoice_id,
      installment_id: payment.installment_id,
      amount_minor: payment.amount_minor,
    });
    const inErp = ["posted", "applied", "reversed"].includes(payment.erp_push_status ?? "");
    expect(payment.erp_receipt_number !== null, String(payment.erp_push_status)).toBe(inErp);
    if (payment.erp_push_status === "failed") expect(payment.erp_push_error).not.toBeNull();
  }
}

/** A workspace shows both workflows, what they did and why not. */
export async function expectWorkflows(core: Core, actor: ApiKeyActor): Promise<void> {
  const workflows = await everything(core, actor, listWorkflows);
  expect(valuesOf(workflows, (workflow) => workflow.type)).toEqual(new Set(WorkflowType.options));
  const executions = await everything(core, actor, listWorkflowExecutions);
  expect(valuesOf(executions, (execution) => execution.status)).toEqual(new Set(ExecutionStatus.options));
  expect(valuesOf(executions, (execution) => execution.outcome)).toEqual(new Set(OUTCOME.options));
  expect(valuesOf(executions, (execution) => execution.workflow_type)).toEqual(new Set(WorkflowType.options));
}

/** A workspace shows a provider it uses and one it does not any more. */
export async function expectIntegrations(core: Core, actor: ApiKeyActor): Promise<void> {
  const integrations = await everything(core, actor, listPaymentIntegrations);
  expect(valuesOf(integrations, (integration) => integration.provider)).toEqual(new Set(PROVIDER.options));
  expect(valuesOf(integrations, (integration) => integration.status)).toEqual(new Set(INTEGRATION_STATUS.options));
}

/** A workflow that is on has nothing left to do, and receipts that have been on their way for a day stand where a person looks. */
export async function expectNothingLeft(core: Core, tenantId: string): Promise<void> {
  const { data } = await operate(core, tenantId, listWorkflowSettings, {});
  for (const { type } of data.filter(({ enabled }) => enabled)) {
    const { links, tasks } = await operate(core, tenantId, planWorkflow, { type });
    expect({ links, tasks }, type).toEqual({ links: 0, tasks: 0 });
  }
  const listed = (await operate(core, tenantId, listAttention, {})).map((entry) => entry.payment_id);
  const { rows: late } = await everyRow(core.store, (tx) =>
    sql<{ payment_id: string }>`select payment_id from payments where tenant_id = ${tenantId}
      and erp_push_status in ('pending', 'processing') and confirmed_at < now() - interval '1 day'`.execute(tx),
  );
  expect(listed).toEqual(expect.arrayContaining(late.map((payment) => payment.payment_id)));
}
