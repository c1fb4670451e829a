import { counted } from "../../core/kernel/counted.ts";
import { confirmationOf, type EnablingPlan } from "../../core/workflows/plan-schema.ts";
import type { WorkflowType } from "../../core/workflows/schema.ts";
import { hidden, tick } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { WORKFLOW_NAMES } from "../kit/workflow-words.ts";
import { type OpenMail, planView } from "./plan-view.ts";

interface Preview {
  visit: WorkspaceVisit;
  type: WorkflowType;
  isOn: boolean;
  form: Html;
  /** Null while the settings do not say enough, or something is wrong with them. */
  plan: EnablingPlan | null;
  /** What is wrong, or has changed since the preview was shown. */
  alert: string | null;
  fields: readonly (readonly [name: string, value: string])[];
  mailAt: (place: number) => string;
  open: OpenMail | null;
}

/** A workflow's settings, what would happen with them, and the form that turns it on. */
export function previewView(preview: Preview): Html {
  const { visit, type, isOn, form, plan, alert, mailAt, open } = preview;
  const name = WORKFLOW_NAMES[type];
  return html`<p class="crumbs"><a href="${visit.address("/workflows")}">Workflows</a></p>
<div class="title"><div><h1>${isOn ? `Settings of ${name}` : `Turn ${name} on`}</h1><p class="quiet">This is a preview: nothing is changed and nobody is mailed before you confirm it below.</p></div></div>
${alert !== null && html`<p class="alert" role="alert">${alert}</p>`}
${form}
${plan !== null && planView({ visit, plan, mailAt, open })}
${plan !== null && confirmForm(plan, preview)}`;
}

function confirmForm(plan: EnablingPlan, { visit, type, isOn, fields }: Preview): Html {
  const expected = confirmationOf(plan);
  const name = WORKFLOW_NAMES[type];
  const box = (value: string): Html =>
    tick("confirmed", value, `I have read what happens at once: ${atOnce(plan)}`, "required");
  const body = html`
<h2>${isOn ? "Save these settings" : `Turn ${name} on with these settings`}</h2>
<p>${consequences(plan)} It goes on with what each sync brings, until it is turned off.</p>
${expected !== null && box(expected)}
<div class="actions"><button>${isOn ? "Save settings" : `Turn ${name} on`}</button>
<a href="${visit.address("/workflows")}">Leave it as it was</a></div>
${fields.map(([key, value]) => hidden(key, value))}`;
  return html`<section class="part">${visit.form(`/workflows/${type}/enable`, body, { look: "card" })}</section>`;
}

/** "31 payment links, 12 mails". */
function atOnce({ links, messages, tasks, emails_again: again, refused }: EnablingPlan): string {
  const waiting = refused.reduce((sum, one) => sum + one.links, 0);
  return [
    tasks > 0 && counted(tasks, "task"),
    links > 0 && counted(links, "payment link"),
    waiting > 0 && `${counted(waiting, "link")} tried again`,
    again > 0 && `${counted(again, "live link")} mailed again`,
    messages > 0 && counted(messages, "mail"),
  ]
    .filter((part) => part !== false)
    .join(", ");
}

function consequences(plan: EnablingPlan): string {
  const words = atOnce(plan);
  return words === "" ? "Nothing happens at once: no open invoice matches now." : `At once: ${words}.`;
}
