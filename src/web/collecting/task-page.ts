import type { z } from "zod";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { listPaymentLinks } from "../../core/payment-links/operations/list-payment-links.ts";
import { dismissTask } from "../../core/tasks/operations/dismiss-task.ts";
import { getTask } from "../../core/tasks/operations/get-task.ts";
import { listWorkflowSettings } from "../../core/workflows/operations/list-workflow-settings.ts";
import { admins, members } from "../kit/doors.ts";
import { confirmation } from "../kit/fields.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { makeLinks } from "./link-form.ts";
import { taskView } from "./task-view.ts";

type Task = z.output<typeof getTask.output>;

/** Links that the page shows of the invoice. */
const MAX_LINKS = 50;

const taskIn = (visit: WorkspaceVisit): Promise<Task> => visit.call(getTask, { taskId: visit.id("taskId", "task") });

const ACTS = {
  "/links": {
    async send(visit: WorkspaceVisit) {
      const { invoice_id } = await taskIn(visit);
      await makeLinks(visit, await visit.call(getInvoice, { invoice_id }));
      return "links";
    },
  },
  "/dismiss": {
    title: "Dismiss a task",
    async ask(visit: WorkspaceVisit) {
      const task = await taskIn(visit);
      return task.state === "open" || task.state === "configured" ? dismissView(visit, task) : null;
    },
    async send(visit: WorkspaceVisit) {
      await visit.call(dismissTask, { task_id: visit.id("taskId", "task") });
      return "dismissed";
    },
  },
};

/** `/tasks/{id}`: why a task was opened, its invoice, its links, which are made right there, and dismissing it. */
export const TASK_PAGE = { routes: members.page("/tasks/:taskId", showTask, ACTS, admins) };

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
  const task = await taskIn(visit);
  const [invoice, links, workflows] = await Promise.all([
    visit.call(getInvoice, { invoice_id: task.invoice_id }),
    visit.call(listPaymentLinks, { invoice_id: task.invoice_id, limit: MAX_LINKS }),
    visit.call(listWorkflowSettings, {}),
  ]);
  const rule = workflows.data.find(({ type }) => type === task.type) ?? null;
  const body = taskView({ visit, task, invoice, links: links.data, rule });
  visit.show({ title: "Task", body });
}
