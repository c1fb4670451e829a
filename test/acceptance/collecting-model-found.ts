import { erpChange, handEntry, pullRun, pushPass } from "./collecting-model-erp-steps.ts";
import { creation, reconciliation } from "./collecting-model-link-steps.ts";
import { eventReading, payment } from "./collecting-model-payment-steps.ts";
import { waiting } from "./collecting-model-steps.ts";

/** Places in the book, from its end. */
const ONE = 5;
const link = creation({ asked: [{ part: ONE, amount: null }], fault: "ok" });
const payAll = [link, payment({ which: 0, held: true })];
const paidDirectly = erpChange({ which: ONE, what: "is paid directly" });
const news = erpChange({ which: ONE, what: "is disputed, or no more" });

/** Histories of one payment that long runs found, and what became of its receipt. */
export const FOUND = [
  {
    name: "less is left of a balance read after it was paid",
    steps: [...payAll, news, pullRun("ok"), eventReading("ok"), paidDirectly, pushPass("ok")],
    status: "failed",
  },
  {
    name: "less is left of a balance read before",
    steps: [news, pullRun("ok"), news, pullRun("ok"), ...payAll, eventReading("ok"), paidDirectly, pushPass("ok")],
    status: "posted",
  },
  {
    name: "the ERP falls silent when it is held up",
    steps: [link, payment({ which: 0, held: false }), handEntry(0), pushPass("lost")],
    status: "failed",
  },
  {
    name: "its link was made at the second pass of the reconciler, a second after one without an answer",
    steps: [
      ...[creation({ asked: [{ part: ONE, amount: null }], fault: "drop" }), waiting(3)],
      ...[reconciliation("drop"), reconciliation("ok"), payment({ which: 0, held: false }), pushPass("ok")],
    ],
    status: "applied",
  },
] as const;
