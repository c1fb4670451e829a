import type { z } from "zod";
import type { AmountTotal } from "../../core/kernel/amount-totals.ts";
import { counted } from "../../core/kernel/counted.ts";
import { money } from "../../core/kernel/money.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import type { Payment } from "../../core/payments/schema.ts";
import { hidden } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { onceField } from "../kit/once.ts";
import { facts } from "../kit/parts.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { timeElement } from "../kit/words.ts";
import { amountColumn } from "../lists/columns.ts";
import { NOTHING, shownAmount, shownCount } from "../lists/figures.ts";
import { listTabs } from "../lists/list-pages.ts";
import { type Column, table } from "../lists/table.ts";
import { CUSTOMER_OF, INVOICE_OF } from "../receivables/invoice-list.ts";

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
  CUSTOMER_OF,
  { head: "Paid", cell: ({ paid_at: at }, { workspace }) => timeElement(at, workspace.timezone) },
  { head: "Payment", cell: ({ id }, { address }) => html`<a href="${address(`/payments/${id}`)}">Open</a>` },
  amountColumn("Amount", "amount"),
];
const CHOOSE: Column<HeldPayment> = {
  head: "Push",
  cell: ({ id, invoice_number: number }) =>
    html`<label class="check tick"><input type="checkbox" name="payment" value="${id}"> <span>${number ?? NOTHING}</span></label>`,
};

const inWords = (totals: readonly Total[]): string =>
  totals.map(({ amount, currency }) => readableMoney(money(amount), currency)).join(", ");

const INTRO =
  "Payments whose receipts are not in the ERP yet, because its connection is set to hold them until somebody pushes them.";

/** Receipts that are held, by the ERP they go to. */
export function heldView(visit: WorkspaceVisit, held: readonly HeldAt[]): Html {
  const none = html`<div class="empty"><p>No receipt is held.</p>
<p><a href="${visit.address("/payments")}">See all payments</a></p></div>`;
  return html`<div class="title"><div><h1>Held receipts</h1><p class="quiet">${INTRO}</p></div></div>
${listTabs(visit)}
${visit.note(DONE)}
${held.length === 0 ? none : held.map((one) => heldAt(one, visit))}`;
}

function heldAt({ connection, payments, totals, count }: HeldAt, visit: WorkspaceVisit): Html {
  const { id, name, isDisconnected } = connection;
  const canPush = visit.isAdmin && !isDisconnected;
  const columns = [canPush && count > 1 ? CHOOSE : INVOICE_OF, ...FACTS];
  const rows = table({ caption: "Held receipts", columns, rows: payments, visit });
  const why = isDisconnected
    ? html`<p class="warn">The ERP is disconnected: nothing can be pushed to it.</p>`
    : html`<p class="quiet">An admin of the workspace pushes them.</p>`;
  const words = count === 1 ? "Push it" : `Push all ${shownCount(count)}`;
  const form = html`
${rows}
${count > payments.length && html`<p class="quiet">These are the ${payments.length} oldest.</p>`}
<div class="actions">${count > 1 && html`<button>Push the chosen ones</button>`}
<button${count > 1 && html` class="plain"`} name="connection" value="${id}">${words}</button></div>`;
  return html`<section class="part"><div class="head"><h2>${name}</h2>
<span class="quiet">${counted(count, "receipt")}: ${inWords(totals)}</span></div>
${canPush ? visit.form("/payments/held/review", form) : html`${why}${rows}`}</section>`;
}

/** Says what will be pushed, for somebody to confirm. */
export function reviewView(visit: WorkspaceVisit, { connectionId, erp, paymentIds, totals }: Asked): Html {
  const path = "/payments/held/push";
  const count = totals.reduce((all, total) => all + total.count, 0);
  const [they, them] = count === 1 ? ["It is", "it"] : ["They are", "them"];
  const asked =
    connectionId === null
      ? paymentIds.map((id) => hidden("payment", id))
      : [hidden("connection", connectionId), hidden("shown", JSON.stringify(totals))];
  return html`<h1>Push ${counted(count, "receipt")} to ${erp ?? "the ERP"}?</h1>
${facts(totals.map((one) => [counted(one.count, "receipt"), shownAmount(one.amount, one.currency)] as const))}
<ul><li>${they} written to the ERP and applied to ${count === 1 ? "its invoice" : "their invoices"} there, within
moments.</li>
<li>That cannot be taken back here; a receipt is reversed in the ERP.</li></ul>
${visit.form(
  path,
  html`${onceField(visit, path)}${asked}
<div class="actions"><button>Push ${counted(count, "receipt")}</button></div>`,
)}
<p><a href="${visit.address("/payments/held")}">Keep ${them} held</a></p>`;
}
