import fc from "fast-check";
import { expect } from "vitest";
import { openTask } from "../../src/core/tasks/open-task.ts";
import { dismissTask } from "../../src/core/tasks/operations/dismiss-task.ts";
import {
  changeCurrency,
  changeErp,
  enterHand,
  mendErp,
  pull,
  push,
  pushHeld,
  pushMode,
  retryPush,
  settleHand,
  undoReceipt,
} from "./collecting-model-erp-steps.ts";
import type { Invoice } from "./collecting-model-facts.ts";
import { figuresOf } from "./collecting-model-figures.ts";
import { createLinks, createLocal, deactivate, reconcile, retryCreation } from "./collecting-model-link-steps.ts";
import { editInvoice, makeInvoice, settleInvoice, voidInvoice } from "./collecting-model-local-steps.ts";
import { bounce, changeAddress, mailLink, mailPass, resend, setAddress } from "./collecting-model-mail-steps.ts";
import {
  completeCheckout,
  dispute,
  notification,
  notifyEarlier,
  openCheckout,
  payLink,
  paySandbox,
  readEvents,
  reconnect,
  refund,
  rotate,
} from "./collecting-model-payment-steps.ts";
import { codeOf, pick, request, type Step, step } from "./collecting-model-step.ts";
import type { ModelWorld } from "./collecting-model-world.ts";

const openedTask = fc.nat({ max: 5 }).map((which) =>
  step(`the workflow matches invoice ${which}`, async ({ core, tenantId, book, ids }) => {
    const own = pick(book.invoices, which);
    const invoiceId = own === undefined ? undefined : ids.invoices.get(own);
    if (own === undefined || invoiceId === undefined || figuresOf(book, own).status !== "open") return;
    await core.store.write(tenantId, (tx) => openTask(tx, core, { tenantId, invoiceId, assigneeId: null }));
    if (!own.tasks.some((task) => task !== "not_needed")) own.tasks.push("open");
  }),
);

async function latestTask({ core, tenantId, ids }: ModelWorld, own: Invoice): Promise<string | undefined> {
  const row = await core.store.read(tenantId, (tx) =>
    tx
      .selectFrom("tasks")
      .select("task_id")
      .where("tenant_id", "=", tenantId)
      .where("invoice_id", "=", ids.invoices.get(own) ?? "")
      .orderBy("created_at", "desc")
      .executeTakeFirst(),
  );
  return row?.task_id;
}

const dismiss = fc.nat({ max: 5 }).map((which) =>
  step(`dismiss the task of ${which}`, async (world) => {
    const own = pick(world.book.invoices, which);
    const task = own?.tasks.at(-1);
    if (own === undefined || task === undefined) return;
    const input = { task_id: await latestTask(world, own) };
    const code = await codeOf(dismissTask.call(world.admin, input, request(world, "")));
    expect(code).toBe(task === "not_needed" ? "conflict" : null);
    if (task !== "not_needed") own.tasks = [...own.tasks.slice(0, -1), "dismissed"];
  }),
);

const MINUTE = 60_000;
export const waiting = (minutes: number) =>
  step(`${minutes} minutes pass`, async ({ clock, book }) => {
    clock.advance(minutes * MINUTE);
    book.now = clock.now().getTime();
  });

const wait = fc.constantFrom(1, 3, 16, 16, 130, 1_300, 1_500).map(waiting);
/** Long enough for what is scheduled to be due. */
const aDay = fc.constant(waiting(1_500));

/** Every kind of step; what is named more than once is drawn more often. */
const STEPS = [
  ...[createLinks, createLinks, createLinks, createLinks, createLinks, createLinks, createLinks, createLinks],
  ...[retryCreation, deactivate, openCheckout, completeCheckout, notification, notification, payLink, payLink, payLink],
  ...[payLink, paySandbox, paySandbox, paySandbox, push, push, push, push, pushHeld, pushMode, pull, pull, pull, pull],
  ...[
    pull,
    changeErp,
    changeErp,
    changeCurrency,
    mendErp,
    mendErp,
    undoReceipt,
    undoReceipt,
    openedTask,
    dismiss,
    reconcile,
    reconcile,
  ],
  ...[wait, wait, wait, readEvents, readEvents, refund, refund, dispute, dispute, reconnect, rotate],
  ...[retryPush, retryPush, settleHand, enterHand, enterHand],
  ...[mailLink, mailLink, mailPass, mailPass, setAddress, changeAddress, resend],
  ...[makeInvoice, makeInvoice, editInvoice, editInvoice, editInvoice, settleInvoice, settleInvoice, voidInvoice],
];

/** Steps that seldom come in this order by chance, and matter when they do. */
const STORIES: fc.Arbitrary<Step[]>[] = [
  fc.tuple(mendErp, pull, createLinks, openCheckout, deactivate, createLinks, completeCheckout),
  fc.tuple(createLinks, createLinks, changeErp, pull, payLink),
  fc.tuple(createLinks, openCheckout, changeCurrency, pull, completeCheckout, notification, createLinks, payLink, push),
  fc.tuple(createLinks, payLink, changeCurrency, push, pull, createLinks, changeCurrency, pull),
  fc.tuple(pushMode, createLinks, payLink, push, wait, pull, pull, undoReceipt, pull),
  fc.tuple(createLinks, payLink, notification, pushHeld, push, push, wait, push, pull),
  fc.tuple(createLinks, payLink, enterHand, push, settleHand, pull, retryPush, push, pull),
  fc.tuple(createLinks, payLink, enterHand, push, retryPush, push, pull, undoReceipt, pull, retryPush, push, pull),
  fc.tuple(createLinks, payLink, refund, dispute, reconnect, notification, dispute, readEvents),
  fc.tuple(createLinks, openCheckout, mendErp, reconnect, createLinks, completeCheckout, notification, readEvents),
  fc.tuple(
    createLinks,
    openCheckout,
    completeCheckout,
    rotate,
    wait,
    notifyEarlier,
    rotate,
    notifyEarlier,
    notification,
  ),
  fc.tuple(
    makeInvoice,
    createLocal,
    editInvoice,
    openCheckout,
    editInvoice,
    completeCheckout,
    editInvoice,
    createLocal,
  ),
  fc.tuple(makeInvoice, createLocal, settleInvoice, openedTask, payLink, settleInvoice, createLocal, settleInvoice),
  fc.tuple(makeInvoice, createLocal, openCheckout, editInvoice, settleInvoice, voidInvoice, completeCheckout),
  fc.tuple(createLinks, mailLink, mailLink, aDay, bounce, setAddress, createLinks, mailLink, aDay, mailPass),
  fc.tuple(createLinks, mailLink, aDay, bounce, changeAddress, pull, payLink, aDay, mailPass, resend),
  fc.tuple(openedTask, createLinks, dismiss, openedTask, pull),
];

/** A history of at least so many steps, drawn one or a story at a time. */
export function history({
  least,
  draws: [minLength, maxLength],
}: {
  least: number;
  draws: readonly [number, number];
}): fc.Arbitrary<Step[]> {
  const single = fc.oneof(...STEPS).map((step) => [step]);
  const some = fc.oneof({ weight: 8, arbitrary: single }, ...STORIES.map((arbitrary) => ({ weight: 1, arbitrary })));
  const drawn = fc.array(some, { minLength, maxLength, size: "max" });
  return drawn.map((steps) => steps.flat()).filter((steps) => steps.length >= least);
}
