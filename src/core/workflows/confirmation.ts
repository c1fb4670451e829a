import { z } from "zod";
import { ServiceError } from "../gate/error.ts";
import { counted } from "../shared/counted.ts";
import type { EnablingPlan } from "./plan-schema.ts";

/** More links, messages or tasks than this at once need a confirmation. */
const UNCONFIRMED = 25;

/** True, or the number that a person typed after reading the plan. */
export const Confirmed = z.union([z.boolean(), z.string()]).default(false);

/** So much would be done at once that a person has to confirm it; nothing was changed. */
export class ConfirmationNeeded extends ServiceError {
  readonly plan: EnablingPlan;
  /** What a person types to confirm: how many links, or tasks, there will be. */
  readonly expected: string;

  constructor(plan: EnablingPlan) {
    const links = linksIn(plan) > 0 ? [counted(linksIn(plan), "payment link")] : [];
    const again = plan.emails_again > 0 ? [`${counted(plan.emails_again, "live link")} mailed again`] : [];
    const mailed = [...links, ...again].join(" and ");
    const messages = mailed === "" ? [] : [`${mailed} in ${counted(plan.messages, "message")}`];
    const tasks = plan.tasks > 0 ? [counted(plan.tasks, "task")] : [];
    super("conflict", `${[...messages, ...tasks].join(", and ")} at once need a confirmation.`);
    this.plan = plan;
    this.expected = expectedOf(plan);
  }
}

/** Throws {@link ConfirmationNeeded} for a plan of much at once that is not confirmed (completions §7). */
export function assertConfirmed(plan: EnablingPlan, confirmed: z.output<typeof Confirmed>): void {
  const isMuch = Math.max(linksIn(plan), plan.messages, plan.tasks, plan.emails_again) > UNCONFIRMED;
  if (isMuch && confirmed !== true && confirmed !== expectedOf(plan)) throw new ConfirmationNeeded(plan);
}

/** Including links that would be refused now: they are made as soon as a provider accepts them. */
const linksIn = (plan: EnablingPlan): number => plan.refused.reduce((sum, { links }) => sum + links, plan.links);

const expectedOf = (plan: EnablingPlan): string =>
  String([linksIn(plan), plan.tasks, plan.emails_again].find((number) => number > 0) ?? 0);
