import { summarizeAttention } from "../../core/attention/list-attention.ts";
import { resolveAttention } from "../../core/attention/operations/resolve-attention.ts";
import { counted } from "../../core/kernel/counted.ts";
import { doneNote } from "../kit/acts.ts";
import { html } from "../kit/html.ts";
import type { Routes } from "../kit/workspace-pages.ts";
import { listTabs } from "../lists/list-pages.ts";
import { itemView } from "../receivables/attention-view.ts";
import { AMONG_PAYMENTS } from "../receivables/payment-list.ts";

const ATTENTION_PATH = "/attention";
/** More are told by their number. */
const MAX_ENTRIES = 50;

const DONE = { resolved: "Marked as dealt with. It is listed again if more of it happens." };

/** `/attention`: payments, and ERPs that lost invoices, that need a person, oldest first, with what to do about each. */
export function addAttentionPage(routes: Routes, admins: Routes): void {
  routes.get(ATTENTION_PATH, async (visit) => {
    const { oldest, counts } = await visit.read(summarizeAttention, { most: MAX_ENTRIES });
    const more = [...counts.values()].reduce((sum, count) => sum + count, 0) - oldest.length;
    const body = html`<div class="title"><div><h1>Needs a person</h1><p class="quiet">Refunds, disputes, overpayments, receipts that did not reach the ERP or wait for a day or longer, and invoices that an ERP no longer shows; oldest first.</p></div></div>
${listTabs(ATTENTION_PATH, AMONG_PAYMENTS, visit)}
${doneNote(visit, DONE)}
${
  oldest.length === 0
    ? html`<div class="empty"><p>Nothing needs a person.</p><p><a href="${visit.address("/payments")}">See all payments</a></p></div>`
    : html`<ul class="needs">${oldest.map((entry) => itemView(entry, visit))}</ul>`
}
${more > 0 && html`<p class="quiet">${counted(more, "more entry", "more entries")} once these are dealt with.</p>`}`;
    visit.show({ title: "Needs a person", within: AMONG_PAYMENTS.main, body });
  });

  routes.get(`${ATTENTION_PATH}/:itemId/resolve`, async ({ address }) => address(ATTENTION_PATH));
  admins.post(`${ATTENTION_PATH}/:itemId/resolve`, async ({ visit, workspace, address }) => {
    const id = visit.id("itemId", "attention item");
    await visit.act(workspace, resolveAttention, { id });
    visit.redirect(address(ATTENTION_PATH, { done: "resolved" }));
  });
}
