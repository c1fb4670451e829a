import { summarizeAttention } from "../../core/attention/list-attention.ts";
import { resolveAttention } from "../../core/attention/operations/resolve-attention.ts";
import { counted } from "../../core/kernel/counted.ts";
import { admins, members } from "../kit/doors.ts";
import { html } from "../kit/html.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { listTabs } from "../lists/list-pages.ts";
import { itemView } from "../receivables/attention-view.ts";

const PATH = "/attention";
const TITLE = "Needs a person";
/** More are told by their number. */
const MAX_ENTRIES = 50;

const DONE = { resolved: "Marked as dealt with. It is listed again if more of it happens." };

const RESOLVE = {
  async send(visit: WorkspaceVisit) {
    await visit.call(resolveAttention, { id: visit.id("itemId", "attention item") });
    return "resolved";
  },
};

/** `/attention`: payments, and ERPs that lost invoices, that need a person, oldest first, with what to do about each. */
export const ATTENTION_PAGE = {
  listing: { path: PATH, name: TITLE, beside: "/payments" },
  routes: members.page(PATH, show, { "/:itemId/resolve": RESOLVE }, admins),
};

const INTRO =
  "Refunds, disputes, overpayments, receipts that did not reach the ERP or wait for a day or longer, and invoices that an \
ERP no longer shows; oldest first.";

async function show(visit: WorkspaceVisit): Promise<void> {
  const { oldest, counts } = await visit.call(summarizeAttention, { most: MAX_ENTRIES });
  const more = [...counts.values()].reduce((sum, count) => sum + count, 0) - oldest.length;
  const none = html`<div class="empty"><p>Nothing needs a person.</p>
<p><a href="${visit.address("/payments")}">See all payments</a></p></div>`;
  const body = html`<div class="title"><div><h1>${TITLE}</h1><p class="quiet">${INTRO}</p></div></div>
${listTabs(visit)}
${visit.note(DONE)}
${oldest.length === 0 ? none : html`<ul class="needs">${oldest.map((entry) => itemView(entry, visit))}</ul>`}
${more > 0 && html`<p class="quiet">${counted(more, "more entry", "more entries")} once these are dealt with.</p>`}`;
  visit.show({ title: TITLE, body });
}
