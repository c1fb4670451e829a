import { z } from "zod";
import { type AgingVerification, verifyAging } from "../../../store/aging/verify.ts";
import { operation } from "../../gate/operation.ts";
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
  output: z.custom<AgingVerification>(),
  prepare: ({ actor: { tenantId }, core, signal }) => rebuildInSlices(core, tenantId, signal),
  run({ tx, actor: { tenantId }, audit }) {
    audit({ type: "workspace", id: tenantId });
    return verifyAging(tx, tenantId);
  },
});
