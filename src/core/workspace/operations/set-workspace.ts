import { z } from "zod";
import type { Notice } from "../../../store/store.ts";
import { lockTenantFigures } from "../../collection/collection-queries.ts";
import { queueOpenInvoices } from "../../collection/to-examine-queries.ts";
import { changedSettings } from "../../gate/audit.ts";
import { operation } from "../../gate/operation.ts";
import { orNotFound } from "../../kernel/error.ts";
import { updateWorkspace } from "../workspace-queries.ts";
import {
  ASSISTANTS_ONLY_READ,
  ASSISTANTS_STOPPED,
  assertNameIsFree,
  asWorkspace,
  WorkspaceInput,
  WorkspaceSchema,
} from "../workspaces.ts";

/** Changes what is given, from the next call on; the rest stays. Throws `not_found`, and `conflict` for another's name. */
export const setWorkspace = operation({
  id: "setWorkspace",
  summary: "Change a workspace's name, timezone, access, or how far assistants may go",
  errors: ["conflict"],
  callers: ["operator"],
  permission: "admin",
  scope: null,
  sideEffects: "Without assistant access, or where assistants may only read, what they are at is stopped.",
  input: z.strictObject(WorkspaceInput).partial(),
  output: WorkspaceSchema,
  allTenants: true,
  async stops({ actor: { tenantId } }, change) {
    const notices: Notice[] = [];
    if (change.assistant_access === false) notices.push({ topic: ASSISTANTS_STOPPED, payload: tenantId });
    if (change.assistants === "read") notices.push({ topic: ASSISTANTS_ONLY_READ, payload: tenantId });
    return notices;
  },
  async run({ tx, actor, core, audit }, change) {
    const { tenantId } = actor;
    if (change.timezone !== undefined) await lockTenantFigures(tx, tenantId);
    if (change.name !== undefined) await assertNameIsFree(tx, change.name, tenantId);
    const changed = orNotFound(await updateWorkspace(tx, tenantId, change), "workspace");
    // Its business days begin at other instants now.
    if (change.timezone !== undefined) await queueOpenInvoices(tx, core, tenantId);
    const now = asWorkspace(changed.row);
    const details = changedSettings(asWorkspace(changed.before), now);
    audit(changed.isChanged ? { type: "workspace", id: tenantId, details } : null);
    return now;
  },
});
