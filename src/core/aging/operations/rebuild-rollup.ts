import { z } from "zod";
import { operation } from "../../gate/operation.ts";
import { businessDate } from "../../kernel/calendar.ts";
import { timezoneOf } from "../../workspace/workspace-queries.ts";
import { rebuildInSlices } from "../rebuild-in-slices.ts";

/** Rebuilds a workspace's aging roll-up from its invoices, a slice at a time; its writers go on meanwhile. */
export const rebuildRollup = operation({
  id: "rebuildAging",
  summary: "Rebuild that roll-up from the invoices, and compare them",
  callers: ["operator"],
  permission: "admin",
  scope: null,
  sideEffects: "Writers of the workspace wait for moments; no figure changes unless it was wrong.",
  input: z.strictObject({}),
  output: z.strictObject({ as_of: z.string() }),
  prepare: ({ actor: { tenantId }, core, signal }) => rebuildInSlices(core, tenantId, signal),
  async run({ tx, actor: { tenantId }, core, audit }) {
    audit({ type: "workspace", id: tenantId });
    return { as_of: businessDate(core.clock.now(), await timezoneOf(tx, tenantId)) };
  },
});
