import type { Act } from "../../core/attention/advice.ts";
import type { AttentionEntry } from "../../core/attention/list-attention.ts";
import { MONEY_PATTERN, money } from "../../core/kernel/money.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { type Html, html } from "../kit/html.ts";
import { part } from "../kit/parts.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { timeElement } from "../kit/words.ts";
import { chip, type Tone } from "../lists/figures.ts";
import { adviceView } from "./advice-view.ts";

const KINDS: Readonly<Record<AttentionEntry["kind"], readonly [words: string, tone: Tone]>> = {
  payment_refunded: ["Refunded", "waits"],
  refund_failed: ["Refund failed", "failed"],
  payment_disputed: ["Disputed", "failed"],
  payment_over_owed: ["Paid too much", "waits"],
  payment_in_other_currency: ["Paid in another currency", "waits"],
  receipt_failed: ["Receipt failed", "failed"],
  receipt_reversed: ["Receipt reversed", "failed"],
  receipt_not_applied: ["Receipt not applied", "waits"],
  receipt_held: ["Receipt held", "waits"],
  receipt_late: ["Receipt late", "waits"],
  retirement_held: ["Missing in the ERP", "failed"],
  invoice_set_aside: ["Not readable in the ERP", "failed"],
};

/** Where an entry is dealt with: the payment, else the link that was paid. */
function placeOf({ payment_id: paymentId, payment_link_id: linkId }: AttentionEntry): string | null {
  if (paymentId !== null) return `/payments/${paymentId}`;
  return linkId === null ? null : `/payment-links/${linkId}`;
}

/** What of a page's object needs a person; nothing where nothing does. */
export function attentionPart(entries: readonly AttentionEntry[], visit: WorkspaceVisit): Html | false {
  return (
    entries.length > 0 &&
    part("Needs a person", html`<ul class="needs">${entries.map((entry) => itemView(entry, visit))}</ul>`)
  );
}

/** One thing that needs a person: what, of whom, since when, and what to do. */
export function itemView(entry: AttentionEntry, visit: WorkspaceVisit): Html {
  const { address, workspace } = visit;
  const [words, tone] = KINDS[entry.kind];
  const path = placeOf(entry);
  const about = [
    entry.invoice_number === null ? null : `Invoice ${entry.invoice_number}`,
    entry.customer_name,
    visit.isAdmin ? entry.erp : null,
  ].filter((one) => one !== null);
  const title = titleOf(entry);
  return html`<li class="item"><div class="head"><strong>${path === null ? title : html`<a href="${address(path)}">${title}</a>`}</strong>${chip(words, tone)}<span class="quiet">since ${timeElement(entry.since, workspace.timezone)}</span></div>
${about.length > 0 && html`<p class="quiet">${about.join(" · ")}</p>`}
${entry.id === null && entry.detail !== null && html`<p>${entry.detail}</p>`}
${adviceView(entry.advice, visit.isAdmin ? (act) => actView(act, visit) : null)}
${entry.id === null && path !== null && html`<div class="acts"><a class="button plain" href="${address(path)}">Open the payment</a></div>`}</li>`;
}

function titleOf({ kind, amount, currency }: AttentionEntry): string {
  if (kind === "retirement_held") return "Invoices";
  if (kind === "invoice_set_aside") return "An invoice";
  if (amount === null) return "A payment";
  return currency !== null && MONEY_PATTERN.test(amount)
    ? readableMoney(money(amount), currency)
    : `${amount} ${currency ?? ""}`.trim();
}

function actView(act: Act, visit: WorkspaceVisit): Html | null {
  if (act.kind === "retire_missing")
    return html`<a class="button plain" href="/erp-connections/${visit.workspace.tenantId}/${act.connectionId}/retire">See what would be retired</a>`;
  if (act.kind !== "resolve_item") return null;
  return visit.button(`/attention/${act.id}/resolve`, html`<button class="plain small">Mark as dealt with</button>`);
}
