import { findCustomers } from "../../core/customers/operations/find-customers.ts";
import { costlyWork } from "../../core/gate/costly-work.ts";
import { type ErrorDetail, notFound, ServiceError } from "../../core/kernel/error.ts";
import { getMailSettings } from "../../core/mail/operations/set-mail-settings.ts";
import { disableWorkflow, enableWorkflow, planWorkflow } from "../../core/workflows/operations/enable-workflow.ts";
import { listWorkflowSettings } from "../../core/workflows/operations/list-workflows.ts";
import { previewWorkflowMail } from "../../core/workflows/operations/preview-workflow-mail.ts";
import { ConfirmationNeeded, type EnablingPlan } from "../../core/workflows/plan-schema.ts";
import { workflowTypeOf } from "../kit/markup.ts";
import { adminsWho, type FormActs, idIn, members, WORKSPACE, type WorkspaceVisit } from "../kit/page.ts";
import { sendMailDocument } from "../mails/preview-pages.ts";
import { showPreview } from "./plan-view.ts";
import { givenOf, isSent, type TypedWorkflow, typedIn, versionOf, workflowForm } from "./settings-form.ts";
import { disableView, isMailing, showCards } from "./workflow-view.ts";

/** A plan looks at every open invoice. */
const inTurn = costlyWork({
  ...{ concurrency: 2, ofSource: 1, rests: 1, placeRestsMs: 0, waitingOfSource: 4, sources: 100 },
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
      return stored !== undefined && (stored.enabled || isMailing(stored)) ? disableView(stored, visit) : null;
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
export const WORKFLOW_PAGES = {
  listing: {
    ...{ path: "/workflows", name: "Workflows" },
    settings: {
      group: "Collecting",
      words: "What makes payment links, mails them and opens tasks by itself, and what it did.",
    },
  },
  routes: [
    ...members.page("/workflows", showWorkflows, ACTS, admins),
    admins.get("/workflows/:type/preview", preview),
    admins.get("/workflows/:type/preview/mail", sendMail),
  ],
};

async function showWorkflows(visit: WorkspaceVisit) {
  const { data: workflows } = await visit.call(listWorkflowSettings, {});
  const ids = workflows.flatMap((workflow) => workflow.customers);
  const { named } = await visit.call(findCustomers, { ids: ids.slice(0, 1_000), search: null });
  showCards({ visit, workflows, customers: named });
}

/** The workflow in the address, and the stored one of its type. Throws `not_found` for no type of workflow. */
async function workflowOf(visit: WorkspaceVisit) {
  const type = workflowTypeOf(visit.request.params.type);
  if (type === undefined) throw notFound("workflow");
  const { data } = await visit.call(listWorkflowSettings, {});
  return { type, stored: data.find((one) => one.type === type) };
}

/** The same with the settings in the query, or in the form. */
async function settingsIn(visit: WorkspaceVisit, sent: Readonly<Record<string, unknown>>) {
  const { type, stored } = await workflowOf(visit);
  return typedIn(sent, type, stored);
}

/** What a plan says. It is made outside the turn of the page: a large book's takes seconds. */
async function preview(visit: WorkspaceVisit) {
  const { query } = visit.request;
  const settings = await settingsIn(visit, query);
  // A rule of arrangements has no defaults: it is asked for first.
  if (!isSent(query) && settings.type !== "auto_generate" && settings.stored === undefined)
    return void (await show(visit, settings, {}));
  const input = { ...givenOf(settings), skip: countIn(visit, "skip") };
  const plan = () => inTurn(visit.workspace.tenantId, () => visit.call(planWorkflow, input));
  return async () => show(visit, settings, await plan().then((found) => ({ plan: found }), refused));
}

/** A number of up to six digits in the address; else 0. */
const countIn = (visit: WorkspaceVisit, name: string) =>
  Number(/^\d{1,6}$/.exec(visit.parameter(name) ?? "")?.[0] ?? 0);

/** What a page says of settings that cannot be used. Rethrows errors that are not about them. */
function refused(error: unknown) {
  if (error instanceof ConfirmationNeeded)
    return {
      plan: error.plan,
      alert: `${error.message} Nothing was changed: read below what would happen now, and confirm it.`,
      status: 409,
    };
  if (!(error instanceof ServiceError) || error.code !== "validation_failed") throw error;
  return {
    problems: error.details ?? [{ field: "", message: error.message }],
    alert: "These settings cannot be used: nothing was changed.",
    status: 400,
  };
}

interface Shown {
  readonly plan?: EnablingPlan | null;
  readonly problems?: readonly ErrorDetail[];
  readonly alert?: string;
  readonly status?: number;
}

async function show(
  visit: WorkspaceVisit,
  settings: TypedWorkflow,
  { plan = null, problems = [], alert = settings.isClash ? CLASH : undefined, status = 200 }: Shown,
) {
  const { tenantId } = visit.workspace;
  const { type, typed } = settings;
  const action = `/workflows/${type}/preview`;
  const form = await workflowForm({ ...settings, visit, problems });
  const at = (below: string, message: Readonly<Record<string, string>>) =>
    `${action}${below}?${new URLSearchParams([...Object.entries({ [WORKSPACE]: tenantId, ...message }), ...typed])}`;
  const mailOf = async (message: EnablingPlan["recipients"][number], place: number) => {
    const { installment_id: installment } = message;
    const input = { ...givenOf(settings), installmentId: installment };
    return { place, mail: await visit.call(previewWorkflowMail, input), document: at("/mail", { installment }) };
  };
  const place = Number(/^\d{1,3}$/.exec(visit.parameter("message") ?? "")?.[0] ?? -1);
  const message = plan?.recipients[place];
  const open = message === undefined ? null : await mailOf(message, place);
  const { contact, reply_to: replyTo } = await visit.call(getMailSettings, {});
  const hasContact = (contact ?? replyTo) !== null;
  const skip = countIn(visit, "skip");
  const mailAt = (number: number) => at("", { skip: String(skip), message: String(number) });
  const nextAt = at("", { skip: String(skip + (plan?.recipients.length ?? 0)) });
  showPreview({ ...settings, visit, form, plan, alert, status, hasContact, open, mailAt, nextAt });
}

async function sendMail(visit: WorkspaceVisit) {
  const given = givenOf(await settingsIn(visit, visit.request.query));
  const installmentId = idIn(visit.parameter("installment") ?? undefined, "message");
  const { html } = await visit.call(previewWorkflowMail, { ...given, installmentId });
  sendMailDocument(visit.response, html);
}

const CLASH = "Somebody changed the same settings meanwhile. Below they are as you typed them.";
const CHANGED =
  "Somebody turned it on or off or changed it meanwhile, so nothing was done. Read what would happen by now.";

async function enable(visit: WorkspaceVisit) {
  const { body } = visit.request;
  const settings = await settingsIn(visit, typeof body === "object" && body !== null ? body : {});
  const { type, stored } = settings;
  const confirmed = visit.field("confirmed");
  const inOwnTurn = <T>(work: () => Promise<T>) => inTurn(visit.workspace.tenantId, work);
  try {
    if (visit.field("was") !== versionOf(stored)) {
      const plan = await inOwnTurn(() => visit.call(planWorkflow, givenOf(settings)));
      return await show(visit, settings, { plan, alert: CHANGED, status: 409 });
    }
    await inOwnTurn(() => visit.call(enableWorkflow, { ...givenOf(settings), confirmed }));
  } catch (error) {
    return show(visit, settings, refused(error));
  }
  return visit.address("/workflows", { done: stored?.enabled === true ? "saved" : "on", type });
}
