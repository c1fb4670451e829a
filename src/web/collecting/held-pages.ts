import { z } from "zod";
import { paymentWithAdvice } from "../../core/attention/payment-with-advice.ts";
import { listCurrentErps } from "../../core/erp-connections/operations/list-erp-connections.ts";
import { AmountTotal } from "../../core/kernel/amount-totals.ts";
import { counted } from "../../core/kernel/counted.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { formatMoney, money, sum } from "../../core/kernel/money.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { listPayments } from "../../core/payments/operations/list-payments.ts";
import {
  MAX_PAYMENTS,
  pushHeldOfConnection,
  pushHeldPayments,
} from "../../core/payments/operations/push-held-payments.ts";
import type { Payment } from "../../core/payments/schema.ts";
import {
  actions,
  aside,
  emptied,
  facts,
  hidden,
  html,
  muted,
  NOTHING,
  paragraph,
  part,
  points,
  submit,
  warning,
} from "../kit/markup.ts";
import { actOnce, admins, members, onceField, type WorkspaceVisit } from "../kit/page.ts";
import { amountColumn, type Column, shownAmount, shownCount, table, timeColumn } from "../lists/list.ts";
import { CUSTOMER_OF, INVOICE_OF } from "../receivables/invoice-list.ts";

/** `/payments/held`: receipts that wait until somebody pushes them: one, several or all of an ERP. */
export const HELD_PAGES = {
  listing: { path: "/payments/held", name: "Held receipts", beside: "/payments" },
  routes: members.page("/payments/held", showHeld, { "/review": { send: review }, "/push": { send: push } }, admins),
};

async function review(visit: WorkspaceVisit) {
  const asked = await askedOf(visit);
  if (asked.totals.length === 0)
    throw new ServiceError("validation_failed", "Choose at least one receipt that is held.");
  visit.show({ title: "Push held receipts", narrow: true, body: reviewView(visit, asked) });
}

async function push(visit: WorkspaceVisit) {
  const connectionId = visit.field("connection");
  const { data } =
    connectionId === ""
      ? await actOnce(visit, pushHeldPayments, { payment_ids: visit.fields("payment") })
      : await actOnce(visit, pushHeldOfConnection, { connectionId, shown: shownTotals(visit.field("shown")) });
  return data.length === 1 ? "pushed-one" : "pushed";
}

/** What was shown before, as the confirmation sent it along; nothing for what no confirmation has. */
function shownTotals(text: string) {
  try {
    return z.array(AmountTotal).parse(JSON.parse(text));
  } catch {
    return [];
  }
}

type HeldPayment = z.output<typeof Payment>;

/** What somebody chose to push: named payments, or all that a connection holds. */
async function askedOf(visit: WorkspaceVisit) {
  const connectionId = Uuid.safeParse(visit.field("connection")).data;
  if (connectionId !== undefined) {
    const { totals = [] } = await heldOf(visit, connectionId, 1);
    const erp = (await visit.call(listCurrentErps, {})).find(({ id }) => id === connectionId)?.name ?? null;
    return { connectionId, erp, paymentIds: [], totals };
  }
  const ids = [...new Set(visit.fields("payment"))].filter((id) => Uuid.safeParse(id).success).slice(0, MAX_PAYMENTS);
  const found = await Promise.all(ids.map((id) => visit.call(paymentWithAdvice, { paymentId: id })));
  const held = found.map(({ payment }) => payment).filter((payment) => payment.erp_push_status === "held");
  const byCurrency = [...Map.groupBy(held, ({ currency }) => currency)].sort();
  const totals = byCurrency.map(([currency, those]) => ({
    currency,
    count: those.length,
    amount: formatMoney(sum(those.map(({ amount }) => money(amount))), currency),
  }));
  const [erp = null, ...others] = new Set(found.map((one) => one.erp));
  return {
    connectionId: null,
    /** Null where they go to several. */
    erp: others.length === 0 ? erp : null,
    paymentIds: held.map(({ id }) => id),
    totals,
  };
}

function heldOf(visit: WorkspaceVisit, connectionId: string, limit: number) {
  return visit.call(listPayments, {
    connection_id: connectionId,
    erp_push_status: "held",
    limit,
    order: "asc",
    include_total: true,
  });
}

const FACTS: readonly Column<HeldPayment>[] = [
  CUSTOMER_OF,
  timeColumn("Paid", "paid_at"),
  { head: "Payment", cell: ({ id }, visit) => visit.link(`/payments/${id}`, "See the payment") },
  amountColumn("Amount", "amount"),
];
const CHOOSE: Column<HeldPayment> = {
  head: "Invoice",
  cell: ({ id, invoice_number: number }) =>
    html`<label class="check tick"><input type="checkbox" name="payment" value="${id}">
<span>${number ?? NOTHING}</span></label>`,
};

const HEAD = {
  title: "Held receipts",
  isListed: true,
  about: muted("Receipts that their ERP connection is set to hold until somebody pushes them."),
  done: {
    pushed: "The receipts are queued, and soon in the ERP.",
    "pushed-one": "The receipt is queued, and soon in the ERP.",
  },
} as const;

async function showHeld(visit: WorkspaceVisit) {
  const held = [];
  for (const connection of await visit.call(listCurrentErps, {})) {
    const found = await heldOf(visit, connection.id, MAX_PAYMENTS);
    if (found.data.length > 0) held.push(heldAt(visit, connection, found));
  }
  const none = emptied("No receipt is held.", visit.link("/payments", "See all payments"));
  visit.showPage(HEAD, held.length === 0 ? none : held);
}

/** What one ERP connection holds; the oldest payments of it. */
function heldAt(
  visit: WorkspaceVisit,
  { id, name, status }: z.output<typeof listCurrentErps.output>[number],
  { data: payments, totals = [], pagination }: Awaited<ReturnType<typeof heldOf>>,
) {
  const count = pagination.total_count ?? payments.length;
  const isDisconnected = status === "disconnected";
  const canPush = visit.isAdmin && !isDisconnected;
  const columns = [canPush && count > 1 ? CHOOSE : INVOICE_OF, ...FACTS];
  const rows = table({ caption: "Held receipts", columns, rows: payments, visit });
  const why = isDisconnected
    ? warning("The ERP is disconnected: nothing can be pushed to it.")
    : muted("An admin of the workspace pushes them.");
  const words = count === 1 ? "Push it" : `Push all ${shownCount(count)}`;
  const all = html`<button${count > 1 && html` class="plain"`} name="connection" value="${id}">${words}</button>`;
  const form = html`
${rows}
${count > payments.length && muted(`These are the ${payments.length} oldest.`)}
${actions(count > 1 && html`<button>Push the chosen ones</button>`, all)}`;
  const sums = totals.map(({ amount, currency }) => readableMoney(amount, currency)).join(", ");
  const comes = aside(`${counted(count, "receipt")}: ${sums}`);
  return part(name, canPush ? visit.form("/payments/held/review", form) : html`${why}${rows}`, comes);
}

type Asked = Awaited<ReturnType<typeof askedOf>>;

/** Says what will be pushed, for somebody to confirm. */
function reviewView(visit: WorkspaceVisit, { connectionId, erp, paymentIds, totals }: Asked) {
  const path = "/payments/held/push";
  const count = totals.reduce((all, total) => all + total.count, 0);
  const push = `Push ${counted(count, "receipt")}`;
  const [they, their, them] = count === 1 ? ["It is", "its invoice", "it"] : ["They are", "their invoices", "them"];
  const asked =
    connectionId === null
      ? paymentIds.map((id) => hidden("payment", id))
      : [hidden("connection", connectionId), hidden("shown", JSON.stringify(totals))];
  return html`<h1>${push} to ${erp ?? "the ERP"}?</h1>
${facts(totals.map((one) => [counted(one.count, "receipt"), shownAmount(one.amount, one.currency)] as const))}
${points([
  `${they} written to the ERP and applied to ${their} there, within moments.`,
  "That cannot be taken back here; a receipt is reversed in the ERP.",
])}
${visit.form(path, [onceField(visit, path), asked, submit(push)])}
${paragraph(visit.link("/payments/held", `Keep ${them} held`))}`;
}
