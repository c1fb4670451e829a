import type { z } from "zod";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { listPaymentLinks } from "../../core/payment-links/operations/list-payment-links.ts";
import { dismissTask } from "../../core/tasks/operations/dismiss-task.ts";
import { getTask } from "../../core/tasks/operations/get-task.ts";
import { listWorkflowSettings } from "../../core/workflows/operations/list-workflow-settings.ts";
import { confirmation } from "../kit/fields.ts";
import type { Routes, WorkspaceVisit } from "../kit/workspace-pages.ts";
import { makeLinks } from "./link-form.ts";
import { taskView } from "./task-view.ts";

type Task = z.output<typeof getTask.output>;

const PATH = "/tasks/:taskId";
/** Links that the page shows of the invoice. */
const MAX_LINKS = 50;

const taskOf = (visit: WorkspaceVisit): Promise<Task> =>
  visit.read(getTask, { taskId: visit.visit.id("taskId", "task") });

const pageOf = (visit: WorkspaceVisit, { id }: Task, done?: string): string => visit.address(`/tasks/${id}`, { done });

/** `/tasks/{id}`: why a task was opened, its invoice, its links, which are made right there, and dismissing it. */
export function addTaskPages(routes: Routes, admins: Routes): void {
  routes.get(PATH, showTask);

  routes.get(`${PATH}/links`, async (visit) => pageOf(visit, await taskOf(visit)));
  const make = async (visit: WorkspaceVisit): Promise<string> => {
    const task = await taskOf(visit);
    await makeLinks(visit, await visit.read(getInvoice, { invoice_id: task.invoice_id }));
    return pageOf(visit, task, "links");
  };
  admins.post(`${PATH}/links`, make, showTask);

  admins.get(`${PATH}/dismiss`, async (visit) => {
    const task = await taskOf(visit);
    if (task.state !== "open" && task.state !== "configured") return pageOf(visit, task);
    return visit.show({ title: "Dismiss a task", within: "Invoices", narrow: true, body: dismissView(visit, task) });
  });
  const dismiss = async (visit: WorkspaceVisit): Promise<string> => {
    const task = await taskOf(visit);
    await visit.act(dismissTask, { task_id: task.id });
    return pageOf(visit, task, "dismissed");
  };
  admins.post(`${PATH}/dismiss`, dismiss, showTask);
}

function dismissView(visit: WorkspaceVisit, { id, invoice_number: number, customer_name: customer }: Task) {
  const about = [number === null ? null : `invoice ${number}`, customer].filter((one) => one !== null).join(", ");
  return confirmation(visit, {
    question: "Dismiss the task?",
    consequences: [
      about !== "" && `It is about ${about}.`,
      "The invoice returns to Auto Generate: where that is on, it may make a payment link and mail the customer.",
      "Links and payments that there are stay as they are.",
      "No other task is opened for the invoice.",
    ],
    path: `/tasks/${id}/dismiss`,
    button: "Dismiss the task",
    back: { path: visit.address(`/tasks/${id}`), words: "Keep it open" },
  });
}

async function showTask(visit: WorkspaceVisit): Promise<void> {
  const task = await taskOf(visit);
  const [invoice, links, workflows] = await Promise.all([
    visit.read(getInvoice, { invoice_id: task.invoice_id }),
    visit.read(listPaymentLinks, { invoice_id: task.invoice_id, limit: MAX_LINKS }),
    visit.read(listWorkflowSettings, {}),
  ]);
  const rule = workflows.data.find(({ type }) => type === task.type) ?? null;
  const body = taskView({ visit, task, invoice, links: links.data, rule });
  visit.show({ title: "Task", within: "Invoices", body });
}
