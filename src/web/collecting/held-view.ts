import type { z } from "zod";
import type { AmountTotal } from "../../core/kernel/amount-totals.ts";
import { counted } from "../../core/kernel/counted.ts";
import { money } from "../../core/kernel/money.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import type { Payment } from "../../core/payments/schema.ts";
import { doneNote, type Refusal, refusalNote } from "../kit/acts.ts";
import { type Html, html } from "../kit/html.ts";
import { onceField } from "../kit/once.ts";
import { timeElement } from "../kit/words.ts";
import type { WorkspaceVisit } from "../kit/workspace-pages.ts";
import { NOTHING, shownAmount, shownCount } from "../lists/figures.ts";
import { tabs } from "../lists/list-pages.ts";
import { type Column, table } from "../lists/table.ts";
import { customerLink, invoiceLink } from "../receivables/invoice-list.ts";
import { AMONG_PAYMENTS } from "../receivables/payment-list.ts";

type HeldPayment = z.output<typeof Payment>;
type Total = z.output<typeof AmountTotal>;

/** What one ERP connection holds; the oldest payments of it. */
export interface HeldAt {
  readonly connection: { id: string; name: string; isDisconnected: boolean };
  readonly payments: readonly HeldPayment[];
  readonly totals: readonly Total[];
  readonly count: number;
}

/** What somebody chose to push, and what it comes to. */
export interface Asked {
  /** Null where payments are named. */
  readonly connectionId: string | null;
  /** The name of the ERP; null where they go to several. */
  readonly erp: string | null;
  readonly paymentIds: readonly string[];
  readonly totals: readonly Total[];
}

const DONE = {
  pushed: "The receipts are queued, and soon in the ERP.",
  "pushed-one": "The receipt is queued, and soon in the ERP.",
};

const FACTS: readonly Column<HeldPayment>[] = [
  { head: "Customer", cell: ({ customer }, visit) => customerLink(customer, visit) },
  { head: "Paid", cell: ({ paid_at: at }, { workspace }) => timeElement(at, workspace.timezone) },
  { head: "Payment", cell: ({ id }, { address }) => html`<a href="${address(`/payments/${id}`)}">Open</a>` },
  { head: "Amount", kind: "number", cell: (row) => shownAmount(row.amount, row.currency) },
];
const INVOICE: Column<HeldPayment> = {
  head: "Invoice",
  cell: (row, visit) => invoiceLink(row.invoice_id, row.invoice_number, visit),
};
const CHOOSE: Column<HeldPayment> = {
  head: "Push",
  cell: ({ id, invoice_number: number }) =>
    html`<label class="check tick"><input type="checkbox" name="payment" value="${id}"> <span>${number ?? NOTHING}</span></label>`,
};

const inWords = (totals: readonly Total[]): string =>
  totals.map(({ amount, currency }) => readableMoney(money(amount), currency)).join(", ");

/** Receipts that are held, by the ERP they go to. */
export function heldView(
  visit: WorkspaceVisit,
  held: readonly HeldAt[],
  refusal: Pick<Refusal, "message"> | null,
): Html {
  return html`<div class="title"><div><h1>Held receipts</h1><p class="quiet">Payments whose receipts are not in the ERP yet, because its connection is set to hold them until somebody pushes them.</p></div></div>
${tabs({ path: "/payments/held", among: AMONG_PAYMENTS }, visit)}
${refusalNote(refusal) ?? doneNote(visit, DONE)}
${
  held.length === 0
    ? html`<div class="empty"><p>No receipt is held.</p><p><a href="${visit.address("/payments")}">See all payments</a></p></div>`
    : held.map((one) => heldAt(one, visit))
}`;
}

function heldAt({ connection, payments, totals, count }: HeldAt, visit: WorkspaceVisit): Html {
  const head = html`<div class="head"><h2>${connection.name}</h2><span class="quiet">${counted(count, "receipt")}: ${inWords(totals)}</span></div>`;
  if (!visit.isAdmin || connection.isDisconnected)
    return html`<section class="part">${head}
${connection.isDisconnected ? html`<p class="warn">The ERP is disconnected: nothing can be pushed to it.</p>` : html`<p class="quiet">An admin of the workspace pushes them.</p>`}
${table({ caption: "Held receipts", columns: [INVOICE, ...FACTS], rows: payments, visit })}</section>`;
  const { action, field } = visit.form("/payments/held/review");
  return html`<section class="part">${head}
<form method="post" action="${action}">${field}
${table({ caption: "Held receipts", columns: [count === 1 ? INVOICE : CHOOSE, ...FACTS], rows: payments, visit })}
${count > payments.length && html`<p class="quiet">These are the ${payments.length} oldest.</p>`}
<div class="actions">${count > 1 && html`<button>Push the chosen ones</button>`}<button${count > 1 && html` class="plain"`} name="connection" value="${connection.id}">${count === 1 ? "Push it" : `Push all ${shownCount(count)}`}</button></div></form></section>`;
}

/** Says what will be pushed, for somebody to confirm. */
export function reviewView(visit: WorkspaceVisit, { connectionId, erp, paymentIds, totals }: Asked): Html {
  const { action, field } = visit.form("/payments/held/push");
  const count = totals.reduce((all, total) => all + total.count, 0);
  return html`<h1>Push ${counted(count, "receipt")} to ${erp ?? "the ERP"}?</h1>
<dl class="facts">${totals.map((total) => html`<dt>${counted(total.count, "receipt")}</dt><dd>${shownAmount(total.amount, total.currency)}</dd>`)}</dl>
<ul><li>${count === 1 ? "It is written to the ERP and applied to its invoice there, within moments." : "They are written to the ERP and applied to their invoices there, within moments."}</li>
<li>That cannot be taken back here; a receipt is reversed in the ERP.</li></ul>
<form method="post" action="${action}">${field}${onceField(visit.visit)}
${connectionId === null ? paymentIds.map((id) => html`<input type="hidden" name="payment" value="${id}">`) : html`<input type="hidden" name="connection" value="${connectionId}"><input type="hidden" name="shown" value="${JSON.stringify(totals)}">`}
<div class="actions"><button>Push ${counted(count, "receipt")}</button></div></form>
<p><a href="${visit.address("/payments/held")}">${count === 1 ? "Keep it held" : "Keep them held"}</a></p>`;
}
