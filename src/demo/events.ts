import { listMembers } from "../../auth/members.ts";
import { money } from "../core/money.ts";
import { recordConfirmedPayment, setPaymentPushStatus } from "../core/payments/record-payment.ts";
import { configureTask, dismissOpenTask, openTask } from "../core/tasks/open-task.ts";
import type { Transaction } from "../store/store.ts";
import { halfOf } from "./ledger.ts";
import { type DemoInvoice, postponePush, selectDemoInvoice } from "./queries.ts";
import type { Scene } from "./scene.ts";

/** What becomes of a receipt; null leaves it where its connection puts it. */
type Push = Parameters<typeof setPaymentPushStatus>[2]["status"] | null;

/** What became of receipts that the ERP has not booked, one of each state. */
const PUSHES: readonly Push[] = [null, "processing", "posted", "failed", "reversed"];

const NEVER = "9999-12-31T00:00:00.000Z";

/** Customers pay: some invoices whole, one by half, with receipts in every state. */
export async function recordPayments(scene: Scene, siteKey: string): Promise<void> {
  const { settled, halfSettled, paid } = scene.site(siteKey).book.roles;
  for (const id of settled) await pay(scene, id, (invoice) => invoice.collection_outstanding, "applied");
  await pay(scene, halfSettled, (invoice) => halfOf(invoice.total_amount ?? "0"), "applied");
  for (const [index, id] of paid.entries()) {
    await pay(scene, id, (invoice) => invoice.collection_outstanding, PUSHES[index % PUSHES.length] ?? null);
  }
}

async function pay(
  { core, tenantId }: Scene,
  erpInvoiceId: string,
  amountOf: (invoice: DemoInvoice) => string,
  push: Push,
): Promise<void> {
  await core.store.write(tenantId, async (tx) => {
    const invoice = await selectDemoInvoice(tx, tenantId, erpInvoiceId);
    if (invoice === undefined || invoice.has_payment) return;
    const { invoice_id: invoiceId, installment_id: installmentId } = invoice;
    const amount = money(amountOf(invoice));
    const paymentId = await recordConfirmedPayment(tx, core, { tenantId, invoiceId, installmentId, amount });
    if (push !== null) await setPaymentPushStatus(tx, core, { tenantId, paymentId, status: push });
    // Or nobody would see a receipt that waits, or is under way: the jobs would take it up at once.
    await postponePush(tx, tenantId, paymentId, NEVER);
  });
}

/** The Payment Arrangement workflow matches invoices; people act on some of them. */
export async function recordTasks(scene: Scene, siteKey: string): Promise<void> {
  const { core, tenantId } = scene;
  const members = await listMembers(core, tenantId);
  const assigneeId = members.find(({ role }) => role === "admin")?.id ?? null;
  const { waiting, deleted } = scene.site(siteKey).book.roles;
  const open = async (erpInvoiceId: string | undefined, then: (tx: Transaction, ids: Ids) => Promise<void>) => {
    if (erpInvoiceId === undefined) return;
    await core.store.write(tenantId, async (tx) => {
      const invoice = await selectDemoInvoice(tx, tenantId, erpInvoiceId);
      if (invoice === undefined) return;
      const taskId = await openTask(tx, core, { tenantId, invoiceId: invoice.invoice_id, assigneeId });
      if (taskId !== null) await then(tx, { taskId, invoiceId: invoice.invoice_id });
    });
  };
  const [configured, dismissed, ...waitingStill] = waiting;
  await open(configured, (tx, { invoiceId }) => configureTask(tx, core, { tenantId, invoiceId }));
  await open(dismissed, (tx, { taskId }) => dismissOpenTask(tx, core, { tenantId, taskId }));
  // The ERP loses the last of these invoices later on: its task is not needed any more then.
  for (const id of [...waitingStill, ...deleted.slice(0, 1)]) await open(id, async () => undefined);
}

interface Ids {
  taskId: string;
  invoiceId: string;
}
