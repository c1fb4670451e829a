import { operate } from "../core/gate/operator.ts";
import { deactivatePaymentLink } from "../core/payment-links/operations/deactivate-payment-link.ts";
import { cancelPaymentLinkEmail, reschedulePaymentLinkEmail } from "../core/payment-links/operations/emails.ts";
import { dismissTask } from "../core/tasks/operations/dismiss-task.ts";
import { workOnInvoice } from "../core/workflows/mint-generated-links.ts";
import { disableWorkflow, enableWorkflow } from "../core/workflows/operations/enable-workflow.ts";
import type { WorkflowType } from "../core/workflows/schema.ts";
import { runWorkflows } from "../jobs/work-off.ts";
import { adminOf, assistantOf, systemOf } from "./actors.ts";
import { clearWork, type DemoInvoice, hasWorkflow } from "./collecting-queries.ts";
import { invoiceOf, makeLink, requestFor } from "./links.ts";
import type { Scene, Tell } from "./scene.ts";

const DAY_MS = 24 * 60 * 60_000;

/** Some customers pay by arrangement: Payment Arrangement matches their invoices, and people act on some of them. */
export function arrange(siteKey: string): Tell {
  return async (scene) => {
    const { core, tenantId } = scene;
    const { waiting, deleted } = scene.site(siteKey).book.roles;
    const [configured, dismissed] = waiting;
    // The ERP loses the last of these invoices later on: its task is not needed any more then.
    const matched = await invoicesOf(scene, [...waiting, ...deleted.slice(0, 1)]);
    const customers = [...new Set(matched.flatMap(({ customer_id: id }) => (id === null ? [] : [id])))];
    if (!(await core.store.read(tenantId, (tx) => hasWorkflow(tx, tenantId, "payment_arrangement")))) {
      const { email: assignee } = await adminOf(scene);
      const settings = { type: "payment_arrangement", customers, assignee, confirmed: true } as const;
      await operate(core, tenantId, enableWorkflow, settings);
    }
    await workOn(scene, matched);
    const [toConfigure, toDismiss] = await invoicesOf(scene, [configured ?? "", dismissed ?? ""]);
    const assistant = await assistantOf(scene);
    if (toConfigure !== undefined && toConfigure.open_task_id !== null) await makeLink(scene, toConfigure, assistant);
    const taskId = toDismiss?.open_task_id ?? null;
    if (taskId !== null) await dismissTask.call(assistant, { task_id: taskId }, requestFor(scene, `dismiss ${taskId}`));
  };
}

const GENERATING = { type: "auto_generate", sendAt: "09:00", confirmed: true } as const;

/** Auto Generate is tried on some invoices: one waits for an arrangement, and for one the provider was out of order. */
export function generate(siteKey: string): Tell {
  return async (scene) => {
    const { core, tenantId } = scene;
    const { linked, settled, waiting } = scene.site(siteKey).book.roles;
    const [plain, ...emailed] = linked.toReversed();
    const [late] = emailed;
    if (!(await core.store.read(tenantId, (tx) => hasWorkflow(tx, tenantId, "auto_generate"))))
      // Covers every due date of the few invoices it is tried on.
      await operate(core, tenantId, enableWorkflow, { ...GENERATING, daysBeforeDue: 365 });
    const outage: Scene = { ...scene, core: { ...core, payments: () => null } };
    await workOn(outage, await invoicesOf(scene, [late ?? ""]));
    await workOn(scene, await invoicesOf(scene, [...emailed, ...settled.slice(0, 1), ...waiting.slice(2, 3)]));
    const [byHand] = await invoicesOf(scene, [plain ?? ""]);
    if (byHand !== undefined) await makeLink(scene, byHand, await systemOf(scene));
    // The others are left for people to try things on.
    await core.store.write(tenantId, (tx) => clearWork(tx, tenantId));
  };
}

/** What companies choose in the end: two weeks before the due date, for every invoice. */
export async function chooseUsualWindow({ core, tenantId }: Scene): Promise<void> {
  await operate(core, tenantId, enableWorkflow, { ...GENERATING, daysBeforeDue: 14 });
}

/** People think otherwise of two emails, before they go out. */
export function rethinkEmails(siteKey: string): Tell {
  return async (scene) => {
    const [, , cancelled, moved] = scene.site(siteKey).book.roles.linked;
    const [toCancel, toMove] = await invoicesOf(scene, [cancelled ?? "", moved ?? ""]);
    const by = await assistantOf(scene);
    const linkOf = (invoice: DemoInvoice | undefined): string => invoice?.payment_link_id ?? "";
    const cancelling = { payment_link_id: linkOf(toCancel) };
    await cancelPaymentLinkEmail.call(by, cancelling, requestFor(scene, "cancel"));
    // Some days after the demo's first one, so that there is an email to cancel or move.
    const sendAt = new Date(scene.core.clock.now().getTime() + (scene.daysAgo + 6) * DAY_MS).toISOString();
    const moving = { payment_link_id: linkOf(toMove), send_at: sendAt };
    await reschedulePaymentLinkEmail.call(by, moving, requestFor(scene, "move"));
  };
}

/** A link is withdrawn after the customer had it. */
export function withdrawLatestLink(siteKey: string): Tell {
  return async (scene) => {
    const [, , , , withdrawn = ""] = scene.site(siteKey).book.roles.linked;
    const linkId = (await invoiceOf(scene, withdrawn))?.payment_link_id ?? null;
    if (linkId === null) return;
    const input = { payment_link_id: linkId };
    await deactivatePaymentLink.call(await assistantOf(scene), input, requestFor(scene, `withdraw ${linkId}`));
  };
}

/** Runs the workflows on every open invoice that they were not tried on, as the jobs would. */
export async function keepUp({ core }: Scene): Promise<void> {
  await runWorkflows(core);
}

export function switchOffWorkflow(type: WorkflowType): Tell {
  return async ({ core, tenantId }) => {
    await operate(core, tenantId, disableWorkflow, { type, keepScheduled: true });
    await core.store.write(tenantId, (tx) => clearWork(tx, tenantId));
  };
}

/** The invoices of the ERP ids that exist, in that order. */
async function invoicesOf(scene: Scene, erpInvoiceIds: readonly string[]): Promise<DemoInvoice[]> {
  const found: DemoInvoice[] = [];
  for (const id of erpInvoiceIds) {
    const invoice = await invoiceOf(scene, id);
    if (invoice !== undefined) found.push(invoice);
  }
  return found;
}

/** Runs the workspace's workflows on some invoices, in that order. */
async function workOn({ core, tenantId }: Scene, invoices: readonly DemoInvoice[]): Promise<void> {
  for (const { invoice_id } of invoices)
    await workOnInvoice(core, { tenant_id: tenantId, invoice_id, claim_id: null, attempts: 1 });
}
