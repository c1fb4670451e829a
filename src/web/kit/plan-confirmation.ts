import { counted } from "../../core/kernel/counted.ts";
import { money } from "../../core/kernel/money.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import type { ConfirmationNeeded } from "../../core/workflows/plan-schema.ts";
import { tick } from "./fields.ts";
import { type Html, html } from "./html.ts";
import { timeElement } from "./words.ts";

/** A plan that has to be confirmed first, and the value of the field `confirmed` that does so. */
export type PlanToConfirm = Pick<ConfirmationNeeded, "plan" | "expected">;

/** What the workflows that are on do once a form is sent, and the box that confirms it; `button` is the form's own word. */
export function planConfirmation({ plan, expected, button }: PlanToConfirm & { button: string }): Html {
  const { amounts, refused, messages, tasks, emails_again: again, send_at: at, timezone } = plan;
  return html`<p>Workflows of this workspace are on. After this they do the following by themselves:</p>
<ul>
${amounts.map(({ links, amount, currency }) => html`<li>${counted(links, "payment link")}: ${readableMoney(money(amount), currency)}</li>`)}
${refused.map(({ links, reason }) => html`<li>${counted(links, "payment link")} refused now and tried again for a day: ${reason}</li>`)}
${again > 0 && html`<li>${counted(again, "live link")} mailed again</li>`}
${at !== null && html`<li>${counted(messages, "message")} to customers, the first on ${timeElement(at, timezone)}</li>`}
${tasks > 0 && html`<li>${counted(tasks, "task")}, with a mail each to the assignee</li>`}
</ul>
${tick("confirmed", expected, `${button}, and let them do that`, "required")}`;
}
