import { counted } from "../kernel/counted.ts";
import type { EnablingPlan } from "./plan-schema.ts";

/** What a plan leaves out and why, a line for each reason. */
export function leftOutInWords(plan: EnablingPlan) {
  const { held_by_task: held, withdrawn_by_person: withdrawn, erp_disconnected: gone, later, refused } = plan;
  const uncharged = plan.not_chargeable.map(({ currency, invoices }) => {
    const isKnown = currency !== "UNKNOWN";
    return [invoices, isKnown ? `no connected provider charges ${currency}.` : "the currency is not known."] as const;
  });
  const turn = later === 1 ? "Its turn comes" : "Their turn comes";
  const invoices = [
    [held, "a task waits for a person."],
    [withdrawn, "a person withdrew the link."],
    [gone, "the ERP is disconnected."],
    [plan.not_mailed, "the customer is not mailed."],
    ...uncharged,
    [later, `due later. ${turn} by itself, as many days before the due date as set above.`],
  ] as const;
  return [
    ...refused.map(({ reason, links }) => {
      return `${counted(links, "link")} cannot be made now and will be tried again for a day: ${reason}`;
    }),
    ...invoices.filter(([count]) => count > 0).map(([count, why]) => `${counted(count, "invoice")}: ${why}`),
  ];
}
