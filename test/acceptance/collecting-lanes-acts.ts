import { randomUUID } from "node:crypto";
import { setPaymentPushMode } from "../../src/core/erp-connections/operations/change-settings.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { createPaymentLinks } from "../../src/core/payment-links/operations/create-links.ts";
import { deactivatePaymentLink } from "../../src/core/payment-links/operations/deactivate-payment-link.ts";
import { requestEventReading } from "../../src/core/payments/events/read-events.ts";
import { receiveNotification } from "../../src/core/payments/events/receive-notification.ts";
import { decideInSandbox } from "../../src/core/payments/events/sandbox-payment.ts";
import { pushHeldPayments } from "../../src/core/payments/operations/push-held-payments.ts";
import { pushPayment } from "../../src/core/payments/operations/push-payment.ts";
import { settleReceiptByHand } from "../../src/core/payments/operations/settle-receipt-by-hand.ts";
import { claimRuns } from "../../src/core/sync-runs/claim-runs.ts";
import { payToken } from "../../src/gateways/payments/sandbox/index.ts";
import { pullInvoices } from "../../src/jobs/pull-invoices.ts";
import { pushReceipts } from "../../src/jobs/push-receipts.ts";
import { sendLinkEmails } from "../../src/jobs/send-mails.ts";
import { finishLinks, readProviderEvents, runWorkflows } from "../../src/jobs/work-off.ts";
import type { Random } from "../../src/simulators/fusion/random.ts";
import type { StripeEvent } from "../../src/simulators/stripe/index.ts";
import { sign } from "../../src/simulators/stripe/webhooks.ts";
import { quickConnect } from "../support/pulls.ts";
import { startSync } from "../support/sync.ts";
import { type Act, atOnce, atOnceFor, oneOf, refusable } from "./collecting-lanes-act.ts";
import { bounce, confirmGone, hide, mailAgain, readdress, weather } from "./collecting-lanes-beside.ts";
import { type LanesWorld, rowsOf } from "./collecting-lanes-world.ts";

const called = ({ core }: LanesWorld) => ({ core, requestId: "req_lane", idempotencyKey: randomUUID() });

const createLinks: Act = async (world, draws) => {
  const { installments } = await rowsOf(world, world.tenantId);
  const links = Array.from({ length: 1 + draws.between(0, 1) }, () => oneOf(draws, installments)).flatMap((part) =>
    part === undefined
      ? []
      : [
          {
            ...{ invoice_id: part.invoice_id, installment_id: part.installment_id },
            ...(draws.chance(60) ? { amount_minor: draws.chance(50) ? 5_000 : 12_000 } : {}),
          },
        ],
  );
  await refusable(createPaymentLinks.call(world.admin, { links }, called(world)));
};

const withdraw: Act = async (world, draws) => {
  const link = oneOf(draws, (await rowsOf(world, world.tenantId)).links);
  if (link === undefined) return;
  const input = { payment_link_id: link.payment_link_id };
  await refusable(deactivatePaymentLink.call(world.admin, input, called(world)));
};

/** Stripe's refusals of a customer are Errors; the step is just not taken. */
const atStripe = async <T>(step: () => T | Promise<T>): Promise<T | null> => {
  try {
    return await step();
  } catch {
    return null;
  }
};

const openCheckout: Act = async ({ stripe, checkouts }, draws) => {
  const link = oneOf(
    draws,
    stripe.links.filter(({ active, completed }) => active && completed === 0),
  );
  const linkId = Object.values(link?.metadata ?? {})[0];
  if (link === undefined || linkId === undefined) return;
  const record = await atStripe(() => stripe.open(link.id));
  if (record !== null) checkouts.push({ linkId, record, dispute: "none" });
};

/** A notification, maybe twice, maybe signed with another integration's secret or telling of real money. */
export async function notify(world: LanesWorld, event: StripeEvent, draws: Random): Promise<void> {
  const { core, clock, tenantId, secrets } = world;
  const { links } = await rowsOf(world, tenantId);
  const named = links.find(({ payment_link_id: id }) => event.payload.includes(id));
  const own = secrets.get(named?.payment_integration_id ?? "");
  const others = [...secrets.values()].filter((secret) => secret !== own);
  const [isForeign, isLive] = [draws.chance(10), draws.chance(10)];
  const secret = isForeign ? oneOf(draws, others) : (own ?? oneOf(draws, [...secrets.values()]));
  const payload = isLive ? event.payload.replaceAll('"livemode": false', '"livemode": true') : event.payload;
  const signature = sign(payload, secret ?? "whsec_nobody", Math.floor(clock.now().getTime() / 1_000));
  const how = { readBody: async () => Buffer.from(payload), inLook: atOnce, inPlace: atOnceFor, inTurn: atOnceFor };
  const sent = { provider: "stripe", id: tenantId, signature, ...how } as const;
  for (let times = draws.chance(20) ? 2 : 1; times > 0; times -= 1) await refusable(receiveNotification(core, sent));
}

const complete: Act = async (world, draws) => {
  const checkout = oneOf(
    draws,
    world.checkouts.filter(({ record }) => record.status === "open"),
  );
  if (checkout === undefined) return;
  const paid = await atStripe(() => world.stripe.complete(checkout.record.id, { hold: true }));
  for (const event of paid?.events ?? []) if (draws.chance(60)) await notify(world, event, draws);
};

const payAtOnce: Act = async (world, draws) => {
  await openCheckout(world, draws);
  await complete(world, draws);
};

const notifyAgain: Act = async (world, draws) => {
  const event = oneOf(draws, world.stripe.events);
  if (event !== undefined) await notify(world, event, draws);
};

const paySandbox: Act = async (world, draws) => {
  const { core, tenantId } = world;
  const { links } = await rowsOf(world, tenantId);
  const link = oneOf(
    draws,
    links.filter(({ state, currency }) => state === "active" && currency === "JPY"),
  );
  if (link === undefined) return;
  const { payment_link_id: linkId } = link;
  const token = payToken(core.secrets, { tenantId, linkId });
  if (await refusable(decideInSandbox(core, token, "payment_confirmed"))) world.paidInSandbox.add(linkId);
};

const refund: Act = async (world, draws) => {
  const checkout = oneOf(
    draws,
    world.checkouts.filter(({ record }) => record.paymentStatus === "paid"),
  );
  if (checkout === undefined) return;
  const { paymentIntent } = checkout.record;
  const fails = draws.chance(40);
  // In a second of its own: it takes days to fail.
  if (fails) world.clock.advance(1_000);
  const happens = atStripe(() =>
    fails
      ? world.stripe.failRefund(paymentIntent, "failed", { hold: true })
      : world.stripe.refund(paymentIntent, 1_000 + draws.between(0, 2_999), { hold: true }),
  );
  if (fails) world.clock.advance(1_000);
  const events = await happens;
  for (const event of events ?? []) if (draws.chance(50)) await notify(world, event, draws);
};

const dispute: Act = async (world, draws) => {
  const open = world.checkouts.filter(
    (one) => one.record.paymentStatus === "paid" && (one.dispute === "none" || one.dispute === "needs_response"),
  );
  const checkout = oneOf(draws, open);
  if (checkout === undefined) return;
  checkout.dispute = checkout.dispute === "none" ? "needs_response" : draws.chance(50) ? "won" : "lost";
  const events = await world.stripe.dispute(checkout.record.paymentIntent, checkout.dispute, { hold: true });
  for (const event of events) if (draws.chance(50)) await notify(world, event, draws);
};

/** What an ERP's user does to an invoice. Whatever raises a balance keeps the guard of entered receipts from telling. */
const changeErp: Act = async (world, draws) => {
  const bill = oneOf(draws, world.bills);
  if (bill === undefined) return;
  const index = draws.between(0, bill.amounts.length - 1);
  const what = draws.between(0, 6);
  if (what === 0) bill.disputed[index] = !bill.disputed[index];
  if (what === 1) bill.excluded[index] = !bill.excluded[index];
  if (what === 2) bill.complete = !bill.complete;
  if (what === 3) bill.present = !bill.present;
  if (what === 4) bill.readable = !bill.readable;
  if (what > 4) bill.amounts[index] = (bill.amounts[index] ?? 0n) + 9_000n;
  if (what > 4) for (const one of world.entered) one.isVoid ||= one.bill === bill;
  world.tellErp(bill);
};

/** A customer pays the ERP's owner directly. */
const payDirectly: Act = async (world, draws) => {
  const bill = oneOf(
    draws,
    world.bills.filter(({ present, complete }) => present && complete),
  );
  if (bill === undefined || world.weather.hidden) return;
  const index = draws.between(0, bill.amounts.length - 1);
  if (world.balance(bill, index) < 4_000n) return;
  const amount = bill.currency === "JPY" ? "4000" : "40.00";
  const number = `CHK-${randomUUID().slice(0, 18)}`;
  world.erp.enterReceipt({ invoice: bill.number, installment: index + 1, amount, number });
};

const undoReceipt: Act = async ({ erp, entered }, draws) => {
  const receipt = oneOf(
    draws,
    erp.receipts.filter(({ applications }) => applications.length > 0),
  );
  const [application] = receipt?.applications ?? [];
  if (receipt === undefined || application === undefined || draws.chance(50)) return;
  // What it had settled is owed again.
  for (const one of entered) one.isVoid = true;
  if (draws.chance(50)) erp.reverseReceipt(receipt.receiptId);
  else erp.unapplyReceipt(receipt.receiptId, application.installmentId);
};

const pushAgain: Act = async (world, draws) => {
  const payment = oneOf(draws, (await rowsOf(world, world.tenantId)).payments);
  if (payment === undefined) return;
  const anyway = draws.chance(30);
  if (anyway) for (const one of world.entered) one.isVoid ||= one.paymentId === payment.payment_id;
  const retry = { paymentId: payment.payment_id, anyway, settledByMistake: true };
  await refusable(operate(world.core, world.tenantId, pushPayment, retry));
};

const settleByHand: Act = async (world, draws) => {
  const { payments } = await rowsOf(world, world.tenantId);
  const payment = oneOf(
    draws,
    payments.filter(({ erp_push_status: status }) => status === "failed" || status === "reversed"),
  );
  if (payment === undefined) return;
  const settling = { paymentId: payment.payment_id, receiptNumber: "HAND" };
  await refusable(operate(world.core, world.tenantId, settleReceiptByHand, settling));
};

const pushMode: Act = async (world, draws) => {
  const mode = draws.chance(40) ? "held" : "automatic";
  await refusable(setPaymentPushMode.call(world.admin, { connection_id: world.connectionId, mode }, called(world)));
};

const pushHeld: Act = (world) =>
  refusable(pushHeldPayments.call(world.admin, { connection_id: world.connectionId }, called(world)));

const reconnect: Act = async (world, draws) => {
  if (draws.chance(30)) await refusable(world.reconnect());
};

/** A pull of the workspace, led by whoever takes it up first. */
export async function pullOnce({ core, tenantId, connectionId }: LanesWorld): Promise<void> {
  await refusable(startSync(core, tenantId, connectionId));
  const led = await claimRuns(core, { leaseMs: 20_000, limit: 10 });
  for (const one of led) await pullInvoices(core, quickConnect, one, new AbortController().signal);
}

const push: Act = ({ core }) => pushReceipts(core, quickConnect, { atOnce: 1 });
const settle: Act = ({ core }) => finishLinks(core);
const workflows: Act = ({ core }) => runWorkflows(core);
const mails: Act = ({ core, office }) => sendLinkEmails(core, office);
const readEvents: Act = async ({ core, tenantId }) => {
  await requestEventReading(core, { tenantId });
  await readProviderEvents(core, { tenantId });
};

/** What looks after the rest by itself. */
export async function allJobs(world: LanesWorld, draws: Random): Promise<void> {
  for (const job of [readEvents, push, pullOnce, settle, workflows, settle, mails]) await job(world, draws);
}

/** What is named more than once is drawn more often. */
const ACTS: readonly Act[] = [
  ...[createLinks, createLinks, createLinks, withdraw, openCheckout, openCheckout, complete, complete],
  ...[payAtOnce, payAtOnce, payAtOnce, payAtOnce, notifyAgain, notifyAgain, notifyAgain, paySandbox, paySandbox],
  ...[refund, refund, dispute, changeErp, changeErp, payDirectly, undoReceipt, undoReceipt, pushAgain, pushAgain],
  ...[settleByHand, pushMode, pushHeld, reconnect, weather, weather, hide, hide, confirmGone],
  ...[bounce, bounce, readdress, readdress, mailAgain],
  ...[push, push, push, pullOnce, pullOnce, pullOnce, settle, settle, workflows, workflows, mails, mails, readEvents],
];

/** One lane of so many acts; the clock moves on so little that nobody at work is believed gone. */
export async function lane(world: LanesWorld, draws: Random, acts: number): Promise<void> {
  for (let count = 0; count < acts; count += 1) {
    world.clock.advance(50);
    await oneOf(draws, ACTS)?.(world, draws);
  }
}
