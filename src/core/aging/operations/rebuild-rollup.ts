import { z } from "zod";
import { rebuildAging } from "../../../store/aging/rollup.ts";
import { operation } from "../../gate/operation.ts";
import { businessDate } from "../../shared/calendar.ts";
import { timezoneOf } from "../../workspace/workspace-queries.ts";

/** Rebuilds a workspace's aging roll-up from its invoices; writers of the workspace wait for it. */
export const rebuildRollup = operation({
  id: "rebuildAging",
  summary: "Rebuild the aging roll-up",
  callers: ["operator"],
  permission: "admin",
  scope: null,
  sideEffects: "Writers of the workspace wait meanwhile; no figure changes unless it was wrong.",
  input: z.strictObject({}),
  output: z.strictObject({ as_of: z.string() }),
  async run({ tx, actor: { tenantId }, core, audit }) {
    const asOf = businessDate(core.clock.now(), await timezoneOf(tx, tenantId));
    await rebuildAging(tx, tenantId, asOf);
    audit({ type: "workspace", id: tenantId });
    return { as_of: asOf };
  },
});
