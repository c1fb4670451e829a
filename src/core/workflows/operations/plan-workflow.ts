import { ADMINS_READ, operation } from "../../gate/operation.ts";
import { planGiven } from "../plan-enabling.ts";
import { EnablingPlan } from "../plan-schema.ts";
import { Enable } from "../settings.ts";

/** What enabling a workflow with the same settings would do (completions §7). Throws `validation_failed`, and `conflict` before an ERP is synced. */
export const planWorkflow = operation({
  id: "planWorkflow",
  summary: "Say what a workflow would do",
  errors: ["conflict"],
  ...ADMINS_READ,
  input: Enable,
  output: EnablingPlan,
  run: ({ tx, core, actor }, given) => planGiven(tx, core, actor.tenantId, given),
});
