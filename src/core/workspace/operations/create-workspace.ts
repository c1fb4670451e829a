import { z } from "zod";
import { operation } from "../../gate/operation.ts";
import { insertWorkspace } from "../workspace-queries.ts";
import { assertNameIsFree, asWorkspace, WorkspaceInput, WorkspaceSchema } from "../workspaces.ts";

/** Makes the workspace that the operator already acts in: its id is new. Throws `conflict` when one of that name exists. */
export const createWorkspace = operation({
  id: "createWorkspace",
  summary: "Make a workspace (both kinds of access are on unless said otherwise)",
  errors: ["conflict"],
  callers: ["operator"],
  permission: "admin",
  scope: null,
  sideEffects: "None besides the workspace itself.",
  input: z.strictObject({
    ...WorkspaceInput,
    api_access: WorkspaceInput.api_access.default(true),
    assistant_access: WorkspaceInput.assistant_access.default(true),
    assistants: WorkspaceInput.assistants.default("write"),
  }),
  output: WorkspaceSchema,
  allTenants: true,
  async run({ tx, actor, now, audit }, settings) {
    const row = { tenant_id: actor.tenantId, ...settings, created_at: now };
    await assertNameIsFree(tx, row.name, row.tenant_id);
    await insertWorkspace(tx, row);
    audit({ type: "workspace", id: row.tenant_id });
    return asWorkspace(row);
  },
});
