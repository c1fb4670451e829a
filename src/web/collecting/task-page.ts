import type { z } from "zod";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { listPaymentLinks } from "../../core/payment-links/operations/list-payment-links.ts";
import { dismissTask } from "../../core/tasks/operations/dismiss-task.ts";
import { getTask } from "../../core/tasks/operations/get-task.ts";
import { listWorkflowSettings } from "../../core/workflows/operations/list-workflow-settings.ts";
import { type Refusal, refusalOf } from "../kit/acts.ts";
import { idIn } from "../kit/admin-page.ts";
import { confirmation } from "../kit/fields.ts";
import type { Routes, WorkspaceVisit } from "../kit/workspace-pages.ts";
import { makeLinks, type RefusedLinks } from "./link-form.ts";
import { posting } from "./link-view.ts";
import { taskView } from "./task-view.ts";

type Task = z.output<typeof getTask.output>;

const PATH = "/tasks/:taskId";
/** Links that the page shows of the invoice. */
const MAX_LINKS = 50;

const taskOf = (visit: WorkspaceVisit): Promise<Task> =>
  visit.read(getTask, { taskId: idIn(visit.visit.request.params.taskId, "task") });

/** `/tasks/{id}`: why a task was opened, its invoice, its links, which are made right there, and dismissing it. */
export function addTaskPages(routes: Routes, admins: Routes): void {
  routes.get(PATH, async (visit) => showTask(visit, await taskOf(visit), {}));

  routes.get(`${PATH}/links`, async (visit) =>
    visit.visit.redirect(visit.address(`/tasks/${(await taskOf(visit)).id}`)),
  );
  admins.post(`${PATH}/links`, async (visit) => {
    const task = await taskOf(visit);
    const made = await makeLinks(visit, await visit.read(getInvoice, { invoice_id: task.invoice_id }));
    if ("problems" in made) return showTask(visit, task, { refused: made });
    visit.visit.redirect(visit.address(`/tasks/${task.id}`, { done: "links" }));
  });

  admins.get(`${PATH}/dismiss`, async (visit) => {
    const task = await taskOf(visit);
    if (task.state !== "open" && task.state !== "configured")
      return visit.visit.redirect(visit.address(`/tasks/${task.id}`));
    visit.show({ title: "Dismiss a task", within: "Invoices", narrow: true, body: dismissView(visit, task) });
  });
  admins.post(`${PATH}/dismiss`, async (visit) => {
    const task = await taskOf(visit);
    try {
      await visit.visit.act(visit.workspace, dismissTask, { task_id: task.id });
      visit.visit.redirect(visit.address(`/tasks/${task.id}`, { done: "dismissed" }));
    } catch (error) {
      await showTask(visit, task, { refusal: refusalOf(error) });
    }
  });
}

function dismissView(visit: WorkspaceVisit, { id, invoice_number: number, customer_name: customer }: Task) {
  const about = [number === null ? null : `invoice ${number}`, customer].filter((one) => one !== null).join(", ");
  return confirmation({
    question: "Dismiss the task?",
    consequences: [
      about !== "" && `It is about ${about}.`,
      "The invoice returns to Auto Generate: where that is on, it may make a payment link and mail the customer.",
      "Links and payments that there are stay as they are.",
      "No other task is opened for the invoice.",
    ],
    ...posting(visit, `/tasks/${id}/dismiss`),
    button: "Dismiss the task",
    back: { path: visit.address(`/tasks/${id}`), words: "Keep it open" },
  });
}

async function showTask(
  visit: WorkspaceVisit,
  task: Task,
  { refused = null, refusal = null }: { refused?: RefusedLinks | null; refusal?: Refusal | null },
): Promise<void> {
  const [invoice, links, workflows] = await Promise.all([
    visit.read(getInvoice, { invoice_id: task.invoice_id }),
    visit.read(listPaymentLinks, { invoice_id: task.invoice_id, limit: MAX_LINKS }),
    visit.read(listWorkflowSettings, {}),
  ]);
  const rule = workflows.data.find(({ type }) => type === task.type) ?? null;
  const body = taskView({ visit, task, invoice, links: links.data, rule, refused, refusal });
  visit.show({ title: "Task", within: "Invoices", body }, refused?.status ?? refusal?.status);
}
