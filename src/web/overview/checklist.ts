import { listInvitations } from "../../../auth/invitations/list-invitations.ts";
import { listConnections } from "../../../auth/list-connections.ts";
import { listMembers } from "../../../auth/members/member.ts";
import { aside, html, type Inserted, link, part, unseen } from "../kit/markup.ts";
import type { WorkspaceVisit } from "../kit/page.ts";
import type { Overview } from "./overview-figures.ts";

const PROVIDER = "Customers pay their payment links through it.";

type Step = readonly [isDone: boolean, path: string, name: string, words: Inserted];

/** Setup steps: in place of figures that a workspace does not have yet, and for admins until each was done once. */
export async function checklist(overview: Overview, visit: WorkspaceVisit) {
  const { name: workspace } = visit.workspace;
  const { connections, takesPayments, hasWorkflow, hasInvoices } = overview.needs;
  const hasErp = connections.some(({ status }) => status !== "disconnected");
  if (!visit.isAdmin) {
    if (hasInvoices) return null;
    const next = hasErp
      ? html`The ERP is connected: its invoices appear here after the first sync.
${visit.link("/sync-runs", "Sync history")}`
      : "An admin connects the ERP and a payment provider. After the first sync its invoices appear here.";
    return html`<div class="empty"><p><strong>${workspace} is being set up.</strong></p>
<p>${next}</p>
<p>${link("/mcp", "Connect an assistant")} meanwhile.</p></div>`;
  }
  const [members, invitations, assistants] = await Promise.all([
    visit.call(listMembers, {}),
    visit.call(listInvitations, {}),
    visit.call(listConnections, {}),
  ]);
  const history = html`Connected. Invoices appear here ${hasInvoices ? "with each" : "after the first"} sync: see the
${visit.link("/sync-runs", "sync history")}.`;
  const preview = "It makes payment links and mails them by itself. A preview shows each mail before anything happens.";
  const isAccompanied = members.length > 1 || invitations.length > 0;
  const steps: readonly Step[] = [
    [hasErp, "/erp-connections", "Connect the ERP", hasErp ? history : "A sync brings in its invoices."],
    [takesPayments, "/integrations", "Connect a payment provider", PROVIDER],
    [hasWorkflow, visit.address("/workflows"), "Turn on a workflow", preview],
    [isAccompanied, "/members", "Invite people", "Members read the receivables; admins also act."],
    [assistants.length > 0, "/mcp", "Connect an assistant", "Ask it who owes what; it answers from these figures."],
  ];
  const done = steps.filter(([isDone]) => isDone).length;
  if (hasInvoices && done === steps.length) return null;
  const items = steps.map(
    ([isDone, path, name, words]) =>
      html`<li${isDone && html` class="done"`}><strong>${link(path, name)}</strong>\
${isDone && [" ", unseen("(done)")]}<br>${aside(words)}</li>`,
  );
  const count = aside(`${done} of ${steps.length} done`);
  return part(`Set up ${workspace}`, html`<ol class="steps">${items}</ol>`, count);
}
