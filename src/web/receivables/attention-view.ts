import type { Act, Advice } from "../../core/attention/advice.ts";
import type { AttentionEntry } from "../../core/attention/list-attention.ts";
import { MONEY_PATTERN } from "../../core/kernel/money.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { aside, buttonLink, hidden, html, type Inserted, muted, paragraph, part } from "../kit/markup.ts";
import type { WorkspaceVisit } from "../kit/page.ts";
import { chipOf, type States } from "../lists/list.ts";
import { aboutInvoice } from "./terms.ts";

const KINDS: States<AttentionEntry["kind"]> = {
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
  note_due: ["Come back to it", "waits"],
};

/** Where an entry is dealt with: the payment, else the link that was paid. */
function placeOf({ payment_id: paymentId, payment_link_id: linkId, customer_id: customerId }: AttentionEntry) {
  if (customerId !== undefined) return `/customers/${customerId}`;
  if (paymentId !== null) return `/payments/${paymentId}`;
  return linkId === null ? null : `/payment-links/${linkId}`;
}

/** What of a page's object needs a person; nothing where nothing does. */
export function attentionPart(entries: readonly AttentionEntry[], visit: WorkspaceVisit) {
  const items = html`<ul class="needs">${entries.map((entry) => entryView(entry, visit))}</ul>`;
  const isOpen = entries.some(({ advice }) => !advice.steps.some(({ act }) => "open" in act));
  return entries.length > 0 && part(isOpen ? "Needs a person" : "Dealt with", items);
}

/** What it is, of whom, since when, and what to do. */
export function entryView(entry: AttentionEntry, visit: WorkspaceVisit) {
  const { isAdmin } = visit;
  const { id, detail, kind, since, advice } = entry;
  const path = placeOf(entry);
  const said = [...aboutInvoice(entry, "Invoice"), isAdmin ? (entry.erp ?? []) : []].flat().join(" · ");
  const title = titleOf(entry);
  const open =
    id === null && kind !== "note_due" && path !== null && buttonLink(visit.address(path), "Open the payment");
  return html`<li class="item"><div class="head"><strong>${path === null ? title : visit.link(path, title)}</strong>\
${chipOf(KINDS)(kind)}${aside("since ", visit.time(since))}</div>
${said !== "" && muted(said)}
${id === null && detail !== null && paragraph(detail)}
${adviceView(advice, isAdmin ? (act) => actView(act, visit) : null)}
${id !== null && !isAdmin && muted("An admin of the workspace marks it as dealt with, or as open again.")}
${open && html`<div class="acts">${open}</div>`}</li>`;
}

function titleOf({ kind, amount, currency }: AttentionEntry) {
  if (kind === "retirement_held") return "Invoices";
  if (kind === "invoice_set_aside") return "An invoice";
  if (kind === "note_due") return "A note";
  if (amount === null) return "A payment";
  return currency !== null && MONEY_PATTERN.test(amount)
    ? readableMoney(amount, currency)
    : `${amount} ${currency ?? ""}`.trim();
}

function actView(act: Act, visit: WorkspaceVisit) {
  if (act.kind === "retire_missing") {
    const path = `/erp-connections/${visit.workspace.tenantId}/${act.connectionId}/retire`;
    return buttonLink(path, "See what would be retired");
  }
  if (act.kind !== "resolve_item") return null;
  const words = act.open ? "Mark as open again" : "Mark as dealt with";
  const button = html`${act.open && hidden("open", "on")}<button class="plain small">${words}</button>`;
  return visit.button(`/attention/${act.id}/resolve`, button);
}

/** Advice in a sentence, and what can be done elsewhere or here; `show` has the acts that the page offers itself. */
export function adviceView({ say, steps }: Advice, show: ((act: Act) => Inserted) | null) {
  const acts = show === null ? [] : steps.map(({ act }) => elsewhere(act) ?? show(act)).filter((one) => one !== null);
  return html`${paragraph(say)}${acts.length > 0 && html`<div class="acts">${acts}</div>`}`;
}

/** What is mended on another page, as a link to it. */
function elsewhere({ kind }: Act) {
  if (kind === "reconnect_erp") return buttonLink("/erp-connections", "Reconnect the ERP");
  return kind === "set_receipt_method" ? buttonLink("/erp-connections", "Open the ERP connections") : null;
}
