import { z } from "zod";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { orNotFound } from "../../kernel/error.ts";
import { updateWorkspace } from "../workspace-queries.ts";
import { ASSISTANTS_ONLY_READ, asWorkspace, WorkspaceInput, WorkspaceSchema } from "../workspaces.ts";

/** Says how far the workspace's assistants may go (completions §11). What each was granted is theirs again once they may write. */
export const setAssistantMode = operation({
  id: "setAssistantMode",
  summary: "Say how far assistants may go",
  ...SETTINGS_CHANGE,
  sideEffects: "Counts from the assistants' next call on; where they may only read, what they are writing is stopped.",
  input: z.strictObject({ assistants: WorkspaceInput.assistants }),
  output: WorkspaceSchema,
  allTenants: true,
  async stops({ actor: { tenantId } }, { assistants }) {
    return assistants === "read" ? [{ topic: ASSISTANTS_ONLY_READ, payload: tenantId }] : [];
  },
  async run({ tx, actor, audit }, { assistants }) {
    const changed = orNotFound(await updateWorkspace(tx, actor.tenantId, { assistants }), "workspace");
    audit(changed.isChanged ? { type: "workspace", id: actor.tenantId, details: { assistants } } : null);
    return asWorkspace(changed.row);
  },
});
