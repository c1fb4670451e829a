import { listMembers } from "../../../auth/members/member.ts";
import { findCustomers } from "../../core/customers/operations/find-customers.ts";
import { costlyWork } from "../../core/gate/costly-work.ts";
import { type ErrorDetail, notFound } from "../../core/kernel/error.ts";
import { disableWorkflow } from "../../core/workflows/operations/disable-workflow.ts";
import { enableWorkflow } from "../../core/workflows/operations/enable-workflow.ts";
import { listWorkflowSettings } from "../../core/workflows/operations/list-workflow-settings.ts";
import { planWorkflow } from "../../core/workflows/operations/plan-workflow.ts";
import { previewWorkflowMail } from "../../core/workflows/operations/preview-workflow-mail.ts";
import { ConfirmationNeeded, type EnablingPlan } from "../../core/workflows/plan-schema.ts";
import type { WorkflowType } from "../../core/workflows/schema.ts";
import { WORKSPACE } from "../kit/address.ts";
import { adminsWho, members } from "../kit/doors.ts";
import type { FormActs, PageRoutes } from "../kit/routes.ts";
import { idIn, type WorkspaceVisit } from "../kit/visit.ts";
import { type ShownWorkflow, WORKFLOW_NAMES, workflowTypeOf } from "../kit/workflow-words.ts";
import { sendMailDocument } from "../mails/mail-document.ts";
import type { OpenMail } from "./plan-view.ts";
import { previewView } from "./preview-view.ts";
import { fieldsOf, givenOf, isSent, settingsProblems, typedIn, workflowForm } from "./settings-form.ts";
import { disableView, workflowsView } from "./workflow-view.ts";

/** A plan looks at every open invoice. */
const inTurn = costlyWork({
  ...{ concurrency: 2, waitingOfSource: 4, sources: 100 },
  tooMuch: "Other previews are being made. Try again in a moment.",
  retryAfterSeconds: 10,
});

const admins = adminsWho("Only an admin of a workspace turns its workflows on and off", "Workflows");

const ACTS: FormActs<WorkspaceVisit> = {
  "/:type/enable": { send: enable },
  "/:type/disable": {
    title: "Turn off",
    async ask(visit) {
      const { stored } = await workflowOf(visit);
      return stored?.enabled === true ? disableView(stored, visit) : null;
    },
    async send(visit) {
      const { type } = await workflowOf(visit);
      const keepScheduled = visit.field("keep") === "yes";
      const done = await visit.call(disableWorkflow, { type, keepScheduled });
      const { messages_cancelled: cancelled, still_scheduled: kept } = done;
      const figures = { cancelled: String(cancelled), kept: String(kept.messages) };
      return visit.address("/workflows", { done: "off", type, ...figures });
    },
  },
};

/** `/workflows`: what runs by itself, previewed, turned on and off; and what it did. */
export const WORKFLOW_PAGES: PageRoutes = {
  listing: {
    ...{ path: "/workflows", name: "Workflows" },
    settings: {
      group: "Collecting",
      words: "What makes payment links, mails them and opens tasks by itself, and what it did.",
    },
  },
  routes: [
    ...members.page("/workflows", showWorkflows, ACTS, admins),
    admins.get("/workflows/:type/preview", showPreview),
    admins.get("/workflows/:type/preview/mail", sendMail),
  ],
};

async function showWorkflows(visit: WorkspaceVisit): Promise<void> {
  const { data: workflows } = await visit.call(listWorkflowSettings, {});
  const ids = workflows.flatMap((workflow) => workflow.customers);
  const { named } = await visit.call(findCustomers, { ids: ids.slice(0, 1_000), search: null });
  visit.show({ title: "Workflows", body: workflowsView({ visit, workflows, customers: named }) });
}

/** The workflow in the address, and the stored one of its type. Throws `not_found` for no type of workflow. */
async function workflowOf(visit: WorkspaceVisit): Promise<{ type: WorkflowType; stored: ShownWorkflow | undefined }> {
  const type = workflowTypeOf(visit.request.params.type);
  if (type === undefined) throw notFound("workflow");
  const { data } = await visit.call(listWorkflowSettings, {});
  return { type, stored: data.find((one) => one.type === type) };
}

async function showPreview(visit: WorkspaceVisit): Promise<void> {
  const { type, stored } = await workflowOf(visit);
  const { query } = visit.request;
  // A rule of arrangements has no defaults: it is asked for first.
  const isAsked = isSent(query) || type === "auto_generate" || stored !== undefined;
  const given = givenOf(type, typedIn(query, stored), stored);
  const plan = isAsked
    ? await planned(() => inTurn(visit.workspace.tenantId, () => visit.call(planWorkflow, given)))
    : null;
  await show(visit, { sent: query, plan, alert: null, status: 200 });
}

/** A plan, or what is wrong with the settings. */
async function planned(work: () => Promise<EnablingPlan>): Promise<EnablingPlan | readonly ErrorDetail[]> {
  try {
    return await work();
  } catch (error) {
    return settingsProblems(error);
  }
}

interface Shown {
  /** The query or the form that has the settings. */
  sent: Readonly<Record<string, unknown>>;
  plan: EnablingPlan | readonly ErrorDetail[] | null;
  alert: string | null;
  status: number;
}

async function show(visit: WorkspaceVisit, { sent, plan: found, alert, status }: Shown): Promise<void> {
  const { tenantId, timezone } = visit.workspace;
  const { type, stored } = await workflowOf(visit);
  const typed = typedIn(sent, stored);
  const fields = fieldsOf(type, typed);
  const path = `/workflows/${type}/preview`;
  const [problems, plan] = found === null || "links" in found ? [[], found] : [found, null];
  const search = visit.parameter("search") ?? "";
  const form = workflowForm({
    ...{ type, typed, problems, timezone, search, action: path, workspace: tenantId },
    members: type === "payment_arrangement" ? await visit.call(listMembers, {}) : [],
    customers: await visit.call(findCustomers, { ids: known(typed.customers), search: search.slice(0, 100) }),
  });
  const at = (below: string, message: Readonly<Record<string, string>>): string => {
    const query = new URLSearchParams({ [WORKSPACE]: tenantId, ...message });
    for (const [name, value] of fields) query.append(name, value);
    return `${path}${below}?${query}`;
  };
  const mailOf = async (message: EnablingPlan["recipients"][number], place: number): Promise<OpenMail> => {
    const { installment_id: installment } = message;
    const input = { ...givenOf(type, typed, stored), installmentId: installment };
    return { place, mail: await visit.call(previewWorkflowMail, input), document: at("/mail", { installment }) };
  };
  const place = placeIn(visit) ?? -1;
  const message = plan?.recipients[place];
  const open = message === undefined ? null : await mailOf(message, place);
  const body = previewView({
    ...{
      visit,
      type,
      form,
      plan,
      fields,
      open,
      isOn: stored?.enabled === true,
      mailAt: (number) => at("", { message: String(number) }),
    },
    alert: problems.length > 0 ? "These settings cannot be used: nothing was changed." : alert,
  });
  visit.show({ title: `Preview of ${WORKFLOW_NAMES[type]}`, body }, problems.length > 0 ? 400 : status);
}

/** Ids that an operation takes: others are named by the plan's own answer. */
const known = (ids: readonly string[]): string[] =>
  ids.filter((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)).slice(0, 1_000);

function placeIn(visit: WorkspaceVisit): number | null {
  const text = visit.parameter("message");
  return text !== null && /^\d{1,3}$/.test(text) ? Number(text) : null;
}

async function sendMail(visit: WorkspaceVisit): Promise<void> {
  const { type, stored } = await workflowOf(visit);
  const { request, response } = visit;
  const given = givenOf(type, typedIn(request.query, stored), stored);
  const installmentId = idIn(visit.parameter("installment") ?? undefined, "message");
  const { html } = await visit.call(previewWorkflowMail, { ...given, installmentId });
  sendMailDocument(response, html);
}

async function enable(visit: WorkspaceVisit): Promise<unknown> {
  const { type, stored } = await workflowOf(visit);
  const { request } = visit;
  const sent: Shown["sent"] = typeof request.body === "object" && request.body !== null ? request.body : {};
  const given = givenOf(type, typedIn(sent, stored), stored);
  try {
    const confirmed = visit.field("confirmed");
    await inTurn(visit.workspace.tenantId, () => visit.call(enableWorkflow, { ...given, confirmed }));
    const done = stored?.enabled === true ? "saved" : "on";
    return visit.address("/workflows", { done, type });
  } catch (error) {
    if (error instanceof ConfirmationNeeded) {
      const alert = `${error.message} Nothing was changed: read below what would happen now, and confirm it.`;
      return show(visit, { sent, plan: error.plan, alert, status: 409 });
    }
    return show(visit, { sent, plan: settingsProblems(error), alert: null, status: 400 });
  }
}
