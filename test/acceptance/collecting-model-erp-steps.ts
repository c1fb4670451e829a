import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import { setPaymentPushMode } from "../../src/core/erp-connections/operations/change-settings.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { pushHeldPayments } from "../../src/core/payments/operations/push-held-payments.ts";
import { pushPayment } from "../../src/core/payments/operations/push-payment.ts";
import { settleReceiptByHand } from "../../src/core/payments/operations/settle-receipt-by-hand.ts";
import { pushReceipts } from "../../src/jobs/push-receipts.ts";
import { PAGE_MODES } from "../../src/simulators/fusion/faults.ts";
import { quickConnect, runPull } from "../support/pulls.ts";
import {
  enterByHand,
  modelPull,
  modelPush,
  type PullFault,
  type PushFault,
  pushAgain,
  SETTLED_BY,
  settleByHand,
  undo,
} from "./collecting-model-erp.ts";
import { inHundredths, type Part } from "./collecting-model-facts.ts";
import { codeOf, latest, pick, request, step } from "./collecting-model-step.ts";
import { erpPartId, type ModelWorld } from "./collecting-model-world.ts";

/** What reaches the ERP of a request, or of its answer, that gets lost; and what is answered in its place. */
const LOST = ["drop", "drop", ...PAGE_MODES] as const;
type Lost = (typeof LOST)[number];

const PUSH_FAULTS = {
  ok: {},
  down: {},
  cut: { resource: "standardReceipts", method: "POST", times: 1 },
  unanswered: { when: "after-effect", resource: "standardReceipts", method: "POST", times: 1 },
  lost: { when: "after-effect", resource: "standardReceipts", after: 1 },
  rejected: { resource: "standardReceipts", method: "POST" },
} as const;

export const pushPass = (fault: PushFault, lost: Lost = "drop") =>
  step(`push (ERP ${fault}, ${lost})`, async ({ core, erp, book }) => {
    erp.control({ ...PUSH_FAULTS[fault], mode: fault === "ok" ? "ok" : fault === "rejected" ? "404" : lost });
    await pushReceipts(core, quickConnect, { atOnce: 1 });
    erp.control({ mode: "ok" });
    modelPush(book, fault);
  });

export const push = fc
  .tuple(
    fc.constantFrom("ok", "ok", "ok", "down", "cut", "unanswered", "lost", "rejected" as const),
    fc.constantFrom(...LOST),
  )
  .map(([fault, lost]) => pushPass(fault, lost));

export const pushHeld = fc.record({ all: fc.boolean(), which: latest }).map(({ all, which }) =>
  step(all ? "push all held" : `push held ${which}`, async (world) => {
    const { book, admin, connectionId } = world;
    const one = pick(book.payments, which);
    if (!all && one === undefined) return;
    const input = all ? { connection_id: connectionId } : { payment_ids: [one?.id] };
    const code = await codeOf(pushHeldPayments.call(admin, input, request(world, randomUUID())));
    expect(code).toBe(all || one?.status === "held" ? null : "conflict");
    for (const payment of book.payments) {
      if (payment.status !== "held" || !(all || payment === one)) continue;
      payment.status = "pending";
      payment.next = book.now;
    }
  }),
);

export const pushMode = fc.constantFrom("held", "automatic", "automatic").map((mode) =>
  step(`pushes ${mode}`, async (world) => {
    const { admin, book, connectionId } = world;
    await setPaymentPushMode.call(admin, { connection_id: connectionId, mode }, request(world, ""));
    book.pushMode = mode;
  }),
);

export const pullRun = (fault: PullFault, lost: Lost = "drop") =>
  step(`pull (ERP ${fault}, ${lost})`, async ({ core, erp, tenantId, connectionId, book }) => {
    if (fault !== "ok") erp.control({ mode: lost, ...(fault === "down" ? {} : { resource: "standardReceipts" }) });
    const run = await runPull(core, tenantId, connectionId);
    erp.control({ mode: "ok" });
    expect(run.status).toBe(fault === "down" ? "failed" : "succeeded");
    modelPull(book, fault);
  });

export const pull = fc
  .tuple(fc.constantFrom("ok", "ok", "ok", "ok", "down", "receipts" as const), fc.constantFrom(...LOST))
  .map(([fault, lost]) => pullRun(fault, lost));

/** What an ERP's user does to an invoice. */
const ERP_CHANGES = {
  "is paid directly": ({ erp }) => {
    erp.balance -= erp.balance < 20_000n ? erp.balance : 20_000n;
    erp.closed = erp.balance === 0n;
  },
  "is disputed, or no more": ({ erp }) => {
    erp.disputed = !erp.disputed;
  },
  "is excluded, or no more": ({ erp }) => {
    erp.excluded = !erp.excluded;
  },
  "is closed or opened": ({ erp }) => {
    erp.closed = !erp.closed;
  },
  "is removed or added": ({ erp, invoice, sequence }) => {
    if (sequence === 2 && invoice.parts.length === 2) erp.present = !erp.present;
  },
  "has its invoice finalised, or no more": ({ invoice }) => {
    invoice.erp.complete = !invoice.erp.complete;
  },
  "has its invoice made unreadable, or no more": ({ invoice }) => {
    invoice.erp.readable = !invoice.erp.readable;
  },
  "has its invoice billed in another currency, or in its own": ({ invoice: { erp, currency } }) => {
    if (currency === "JPY") return;
    erp.currency = erp.currency === currency ? (currency === "USD" ? "EUR" : "USD") : currency;
  },
  "has its invoice deleted or restored": ({ invoice }) => {
    if (invoice.name !== "euro") invoice.erp.present = !invoice.erp.present;
  },
} satisfies Readonly<Record<string, (part: Part) => void>>;

type ErpChange = keyof typeof ERP_CHANGES;
const isErpChange = (name: string): name is ErpChange => Object.hasOwn(ERP_CHANGES, name);

function change(world: ModelWorld, part: Part, what: ErpChange): void {
  if (part.invoice.local !== null) return;
  ERP_CHANGES[what](part);
  world.tellErp(part.invoice);
}

/** Something is done to a part, the latest being 0. */
export const erpChange = ({ which, what }: { readonly which: number; readonly what: ErpChange }) =>
  step(`in the ERP, ${which} ${what}`, async (world) => {
    const part = pick(world.book.parts, which);
    if (part !== undefined) change(world, part, what);
  });

export const changeErp = fc
  .record({ which: fc.nat({ max: 5 }), what: fc.constantFrom(...Object.keys(ERP_CHANGES).filter(isErpChange)) })
  .map(erpChange);

const IN_OTHER = "has its invoice billed in another currency, or in its own";
/** The same to what a link asks for, the latest being 0. */
export const changeCurrency = latest.map((which) =>
  step(`in the ERP, the part of link ${which} ${IN_OTHER}`, async (world) => {
    const part = pick(world.book.links, which)?.part;
    if (part !== undefined) change(world, part, IN_OTHER);
  }),
);

/** An ERP's user sets an invoice right and bills more on it. */
export const mendErp = fc.nat({ max: 3 }).map((which) =>
  step(`in the ERP, all is well with invoice ${which}`, async (world) => {
    const own = pick(world.book.billed, which);
    if (own === undefined) return;
    Object.assign(own.erp, { present: true, complete: true, readable: true, currency: own.currency });
    for (const { erp } of own.parts)
      Object.assign(erp, { ...erp, disputed: false, excluded: false, closed: false, present: true });
    for (const { erp } of own.parts) if (erp.balance < 40_000n) erp.balance += 30_000n;
    world.tellErp(own);
  }),
);

export const undoReceipt = fc
  .record({ which: latest, how: fc.constantFrom("reverse", "unapply") })
  .map(({ which, how }) =>
    step(`${how} receipt ${which} in the ERP`, async (world) => {
      const { book, erp } = world;
      const there = book.payments.filter(({ receipt }) => {
        return how === "reverse" ? receipt?.reversed === false : receipt?.applied === true;
      });
      const payment = pick(there, which);
      if (payment === undefined) return;
      if (how === "reverse") erp.reverseReceipt(world.receiptId(payment));
      else erp.unapplyReceipt(world.receiptId(payment), erpPartId(world, payment.part));
      undo(payment, how);
    }),
  );

export const retryPush = fc.record({ which: latest, anyway: fc.boolean() }).map(({ which, anyway }) =>
  step(`push payment ${which} again${anyway ? ", anyway" : ""}`, async ({ core, tenantId, book }) => {
    const payment = pick(book.payments, which);
    if (payment === undefined) return;
    const retry = { paymentId: payment.id, anyway, settledByMistake: true };
    const code = await codeOf(operate(core, tenantId, pushPayment, retry));
    expect(code).toBe(pushAgain(book, payment, anyway) ? null : "conflict");
  }),
);

export const settleHand = latest.map((which) =>
  step(`settle payment ${which} by hand`, async ({ core, tenantId, book }) => {
    const payment = pick(book.payments, which);
    if (payment === undefined) return;
    const settling = { paymentId: payment.id, receiptNumber: SETTLED_BY };
    const code = await codeOf(operate(core, tenantId, settleReceiptByHand, settling));
    expect(code).toBe(settleByHand(book, payment) ? null : "conflict");
  }),
);

/** An ERP's user enters the receipt of a payment that the ERP does not have yet. */
export const handEntry = (which: number) =>
  step(`in the ERP, enter the receipt of payment ${which}`, async ({ erp, book }) => {
    const payment = pick(
      book.payments.filter(({ receipt, byHand }) => receipt === null && !byHand),
      which,
    );
    const number = payment === undefined ? null : enterByHand(book, payment.part, payment.amount);
    if (payment === undefined || number === null) return;
    const { part, amount } = payment;
    const { name, currency, parts } = part.invoice;
    const installment = parts.filter((one) => one.erp.present).indexOf(part) + 1;
    const text = currency === "JPY" ? `${amount}` : inHundredths(amount);
    erp.enterReceipt({ invoice: name, installment, amount: text, number });
  });

export const enterHand = latest.map(handEntry);
