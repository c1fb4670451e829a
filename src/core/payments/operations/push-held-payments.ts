import { z } from "zod";
import { lockChargeableCurrencies, lockInvoices } from "../../collection/collection-queries.ts";
import { stateChange } from "../../collection/push-outcome.ts";
import { assertNotDisconnected } from "../../erp-access/assert-connected.ts";
import { findConnection } from "../../erp-access/connection-queries.ts";
import { COLLECTORS, type Collector, operation, type RunContext } from "../../gate/operation.ts";
import { workStep } from "../../gate/work-step.ts";
import { recomputeInvoices } from "../../invoices/recompute.ts";
import { AmountTotal } from "../../kernel/amount-totals.ts";
import { notFound, orNotFound, ServiceError } from "../../kernel/error.ts";
import { money, sum } from "../../kernel/money.ts";
import { validationFailed } from "../../kernel/validation.ts";
import { EXACTLY_ONE, nameSchemas, Uuid } from "../../kernel/wire-types.ts";
import { type AskedPush, heldPayments, paymentsById, queueHeld } from "../payment-queries.ts";
import { RECEIPTS_QUEUED } from "../receipts/claimed-push.ts";
import { PaymentPushStatus } from "../schema.ts";

/** Payments of one request that names them. */
export const MAX_PAYMENTS = 100;

const QueuedReceipts = z.strictObject({
  data: z.array(z.strictObject({ payment_id: Uuid, erp_push_status: PaymentPushStatus })),
});
nameSchemas({ QueuedReceipt: QueuedReceipts.shape.data.element });

const input = z.strictObject({
  connection_id: Uuid.optional().describe("Push all that this ERP connection holds"),
  payment_ids: z.array(Uuid).min(1).max(MAX_PAYMENTS).optional().describe("Push these held payments, or none"),
});
EXACTLY_ONE.add(input, { of: ["connection_id", "payment_ids"] });

/**
 * Queues held receipts to be pushed to the ERP (completions §5): all of a connection, or those that are named, all or
 * none. Throws `not_found`, `conflict` for a payment that is not held, `connection_disconnected`.
 */
export const pushHeldPayments = operation({
  id: "pushHeldPayments",
  tag: "Payments",
  summary: "Push held receipts to the ERP",
  description:
    "Give exactly one of `connection_id` and `payment_ids`. Of a connection, all that it holds, which may be none; of named payments, all or none: one that is not held answers `conflict`. `202` means queued: poll the payments' `erp_push_status`.",
  errors: ["conflict", "connection_disconnected"],
  callers: COLLECTORS,
  permission: "admin",
  scope: "receipts:push",
  sideEffects:
    "Held receipts are queued, and soon posted to the ERP and applied there; none of it can be taken back here.",
  idempotency: true,
  input,
  output: QueuedReceipts,
  run: (context, given) => queueReceipts(context, given),
});

/**
 * Queues held receipts, all or none of those that are named, or that come to what somebody was shown; else less what somebody else
 * pushes meanwhile. Puts the queuing of each of several into its payment's history too.
 */
async function queueReceipts(context: RunContext<Collector>, given: Given, shown?: z.output<typeof Shown>) {
  const { tx, actor, core, now, audit, afterCommit } = context;
  const { tenantId } = actor;
  await lockChargeableCurrencies(tx, tenantId);
  const asked = await askedPushes(context, given);
  if (shown !== undefined && !comesTo(asked, shown))
    throw new ServiceError("conflict", "What is held has changed since it was shown. Nothing was pushed.");
  assertHeld(asked, (push) => push.erp_push_status === "held");
  for (const push of asked) assertNotDisconnected(push.connection_status);
  const invoiceIds = asked.map((push) => push.invoice_id);
  await lockInvoices(tx, tenantId, invoiceIds);
  const ids = asked.map((push) => push.payment_id);
  const queued = await queueHeld(tx, tenantId, ids, now);
  if (shown !== undefined || given.payment_ids !== undefined) assertHeld(asked, (push) => queued.has(push.payment_id));
  await recomputeInvoices(tx, core, tenantId, invoiceIds);
  afterCommit(() => core.store.publish({ topic: RECEIPTS_QUEUED, payload: tenantId }));
  const pushed = ids.filter((id) => queued.has(id));
  const object = auditedObject(given);
  audit(pushed.length > 0 ? object : null);
  if (object.type !== "payment") await queueReceipt.within(context, actor, pushed);
  return { data: pushed.map((id) => ({ payment_id: id, erp_push_status: "pending" as const })) };
}

const queueReceipt = workStep({
  name: "queueReceipt",
  callers: COLLECTORS,
  scope: "receipts:push",
  async run({ audit }, paymentIds: readonly string[]) {
    const details = { receipt: stateChange("held", { erp_push_status: "pending" }) };
    audit(paymentIds.map((id) => ({ type: "payment", id, details })));
  },
});

type Given = z.output<typeof input>;

/** What is asked for, in its order; each payment once. */
async function askedPushes({ actor, tx }: RunContext, given: Given) {
  const { tenantId } = actor;
  const { connection_id: connectionId, payment_ids: paymentIds } = given;
  if (connectionId !== undefined && paymentIds === undefined) {
    orNotFound(await findConnection(tx, tenantId, connectionId), "ERP connection");
    return heldPayments(tx, tenantId, connectionId);
  }
  if (paymentIds === undefined || connectionId !== undefined) {
    const message =
      paymentIds === undefined
        ? "must be given, or the other of `connection_id` and `payment_ids`"
        : "must not be given with the other of `connection_id` and `payment_ids`: give one, not both";
    throw validationFailed(["connection_id", "payment_ids"].map((field) => ({ field, message })));
  }
  const ids = [...new Set(paymentIds)];
  const known = new Map((await paymentsById(tx, tenantId, ids)).map((push) => [push.payment_id, push]));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw notFound(`payment: ${unknown.join(", ")}. None was pushed`);
  return ids.flatMap((id) => known.get(id) ?? []);
}

function assertHeld(asked: readonly AskedPush[], isHeld: (push: AskedPush) => boolean) {
  const stray = asked.filter((push) => !isHeld(push)).map((push) => push.payment_id);
  if (stray.length === 0) return;
  throw new ServiceError("conflict", `Not held: ${stray.join(", ")}. None was pushed.`);
}

function auditedObject({ connection_id: connectionId, payment_ids: ids = [] }: Given) {
  if (connectionId !== undefined) return { type: "erp_connection", id: connectionId };
  return { type: ids.length === 1 ? "payment" : "payment_batch", id: ids.join(" ") };
}

/** What it came to, by currency. */
const Shown = z
  .array(AmountTotal.extend({ currency: AmountTotal.shape.currency.max(7), amount: AmountTotal.shape.amount.max(100) }))
  .max(200);

/**
 * Queues all that a connection holds, for somebody who was shown what it comes to; nothing where that has changed meanwhile, which
 * is a `conflict`. Throws `not_found`, `connection_disconnected`.
 */
export const pushHeldOfConnection = operation({
  id: "pushHeldOfConnection",
  summary: "Push all held receipts of an ERP connection",
  errors: ["conflict", "connection_disconnected"],
  callers: ["person"],
  permission: "admin",
  scope: null,
  sideEffects:
    "Held receipts are queued, and soon posted to the ERP and applied there; none of it can be taken back here.",
  idempotency: true,
  input: z.strictObject({ connectionId: Uuid, shown: Shown }),
  output: QueuedReceipts,
  run: (context, { connectionId, shown }) => queueReceipts(context, { connection_id: connectionId }, shown),
});

function comesTo(held: readonly AskedPush[], shown: z.output<typeof Shown>) {
  const byCurrency = Map.groupBy(held, ({ currency }) => currency);
  return (
    byCurrency.size === shown.length &&
    shown.every(({ currency, count, amount }) => {
      const those = byCurrency.get(currency) ?? [];
      return those.length === count && sum(those.map((one) => money(one.amount))).equals(money(amount));
    })
  );
}
