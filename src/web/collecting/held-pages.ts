import { z } from "zod";
import { paymentWithAdvice } from "../../core/attention/payment-with-advice.ts";
import { listErpConnections } from "../../core/erp-connections/operations/list-erp-connections.ts";
import { AmountTotal } from "../../core/kernel/amount-totals.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { formatMoney, money, sum } from "../../core/kernel/money.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { listPayments } from "../../core/payments/operations/list-payments.ts";
import { pushHeldOfConnection } from "../../core/payments/operations/push-held-of-connection.ts";
import { MAX_PAYMENTS, pushHeldPayments } from "../../core/payments/operations/push-held-payments.ts";
import { erpNamesFor } from "../erp/erp-names.ts";
import { admins, members } from "../kit/doors.ts";
import { actOnce } from "../kit/once.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { type Asked, type HeldAt, heldView, reviewView } from "./held-view.ts";

/** `/payments/held`: receipts that wait until somebody pushes them; one, several or all of an ERP are shown before they are. */
export const HELD_PAGES = {
  listing: { path: "/payments/held", name: "Held receipts", beside: "/payments" },
  routes: members.page("/payments/held", showHeld, { "/review": { send: review }, "/push": { send: push } }, admins),
};

async function review(visit: WorkspaceVisit): Promise<void> {
  const asked = await askedOf(visit);
  if (asked.totals.length === 0)
    throw new ServiceError("validation_failed", "Choose at least one receipt that is held.");
  visit.show({ title: "Push held receipts", narrow: true, body: reviewView(visit, asked) });
}

async function push(visit: WorkspaceVisit): Promise<string> {
  const connectionId = visit.field("connection");
  const { data } =
    connectionId === ""
      ? await actOnce(visit, pushHeldPayments, { payment_ids: visit.fields("payment") })
      : await actOnce(visit, pushHeldOfConnection, { connectionId, shown: shownTotals(visit.field("shown")) });
  return data.length === 1 ? "pushed-one" : "pushed";
}

/** What was shown before, as the confirmation sent it along; nothing for what no confirmation has. */
function shownTotals(text: string): z.output<typeof AmountTotal>[] {
  try {
    return z.array(AmountTotal).parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/** What somebody chose to push: named payments, or all that a connection holds. */
async function askedOf(visit: WorkspaceVisit): Promise<Asked> {
  const connectionId = Uuid.safeParse(visit.field("connection")).data;
  if (connectionId !== undefined) {
    const { totals = [] } = await heldOf(visit, connectionId, 1);
    return { connectionId, erp: await erpOf(visit, connectionId), paymentIds: [], totals };
  }
  const ids = [...new Set(visit.fields("payment"))].filter((id) => Uuid.safeParse(id).success).slice(0, MAX_PAYMENTS);
  const found = await Promise.all(ids.map((id) => visit.call(paymentWithAdvice, { paymentId: id })));
  const held = found.filter(({ payment }) => payment.erp_push_status === "held").map(({ payment }) => payment);
  const byCurrency = [...Map.groupBy(held, ({ currency }) => currency)].sort();
  const totals = byCurrency.map(([currency, those]) => ({
    currency,
    count: those.length,
    amount: formatMoney(sum(those.map(({ amount }) => money(amount))), currency),
  }));
  const erps = [...new Set(found.map(({ erp }) => erp))];
  return {
    connectionId: null,
    erp: erps.length === 1 ? (erps[0] ?? null) : null,
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

async function erpOf(visit: WorkspaceVisit, connectionId: string): Promise<string | null> {
  return (await erpNamesFor(visit)).get(connectionId) ?? null;
}

async function connectionsOf(visit: WorkspaceVisit) {
  const names = await erpNamesFor(visit);
  const { data } = await visit.call(listErpConnections, { limit: 100, order: "asc" });
  return data.map(({ id, status }) => ({
    id,
    name: names.get(id) ?? "",
    isDisconnected: status === "disconnected",
  }));
}

async function showHeld(visit: WorkspaceVisit): Promise<void> {
  const held: HeldAt[] = [];
  for (const connection of await connectionsOf(visit)) {
    const { data, totals = [], pagination } = await heldOf(visit, connection.id, MAX_PAYMENTS);
    if (data.length > 0)
      held.push({ connection, payments: data, totals, count: pagination.total_count ?? data.length });
  }
  const body = heldView(visit, held);
  visit.show({ title: "Held receipts", body });
}
