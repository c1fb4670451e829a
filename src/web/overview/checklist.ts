import { listInvitations } from "../../../auth/invitations/list-invitations.ts";
import { listConnections } from "../../../auth/list-connections.ts";
import { listMembers } from "../../../auth/members/member.ts";
import { listWorkflows } from "../../core/workflows/operations/list-workflows.ts";
import { type Html, html } from "../kit/html.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import type { Overview } from "./overview-figures.ts";

interface Step {
  readonly isDone: boolean;
  readonly name: string;
  readonly words: Html | string;
  readonly path: string;
}

/** Setup steps of a new workspace, shown in place of figures it does not have yet. */
export async function checklist(overview: Overview, visit: WorkspaceVisit): Promise<Html> {
  const { workspace } = visit;
  const hasErp = overview.connections.some(({ status }) => status !== "disconnected");
  if (!visit.isAdmin)
    return html`<div class="empty"><p><strong>${workspace.name} is being set up.</strong></p>
<p>${hasErp ? html`The ERP is connected: its invoices appear here after the first sync. <a href="${visit.address("/sync-runs")}">Sync history</a>` : "An admin connects the ERP and a payment provider. After the first sync its invoices appear here."}</p>
<p><a href="/mcp">Connect an assistant</a> meanwhile.</p></div>`;
  const [workflows, members, invitations, assistants] = await Promise.all([
    visit.call(listWorkflows, { enabled: true, limit: 1 }),
    visit.call(listMembers, {}),
    visit.call(listInvitations, {}),
    visit.call(listConnections, {}),
  ]);
  const steps: Step[] = [
    {
      isDone: hasErp,
      name: "Connect the ERP",
      words: hasErp
        ? html`Connected. Invoices appear here after the first sync: see the <a href="${visit.address("/sync-runs")}">sync history</a>.`
        : "Its invoices are what everything here is about.",
      path: "/erp-connections",
    },
    {
      isDone: overview.takesPayments,
      name: "Connect a payment provider",
      words: "Customers pay their payment links through it.",
      path: "/integrations",
    },
    {
      isDone: workflows.data.length > 0,
      name: "Turn on a workflow",
      words: "It makes payment links and mails them by itself. A preview shows each mail before anything happens.",
      path: visit.address("/workflows"),
    },
    {
      isDone: members.length > 1 || invitations.length > 0,
      name: "Invite people",
      words: "Members read everything; admins also act.",
      path: "/members",
    },
    {
      isDone: assistants.some(({ revokedAt }) => revokedAt === null),
      name: "Connect an assistant",
      words: "Ask it who owes what; it answers from these figures.",
      path: "/mcp",
    },
  ];
  return html`<section class="part"><div class="head"><h2>Set up ${workspace.name}</h2><span class="quiet">${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done</span></div>
<ol class="steps">${steps.map(({ isDone, name, words, path }) => html`<li${isDone && html` class="done"`}><strong><a href="${path}">${name}</a></strong>${isDone && html` <span class="unseen">(done)</span>`}<br><span class="quiet">${words}</span></li>`)}</ol></section>`;
}
