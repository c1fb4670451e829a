import { z } from "zod";
import { ASSISTANT_MODES } from "../../core/gate/actor.ts";
import { operate } from "../../core/gate/operator.ts";
import { createWorkspace } from "../../core/workspace/operations/create-workspace.ts";
import { setWorkspace } from "../../core/workspace/operations/set-workspace.ts";
import { findWorkspace, listWorkspaces, WorkspaceInput } from "../../core/workspace/workspaces.ts";
import { type Command, command, flags } from "../command.ts";
import { OnOff, WorkspaceOption } from "../inputs.ts";

const Name = WorkspaceInput.name.register(flags, { value: "NAME", description: "what people see" });
const Timezone = WorkspaceInput.timezone.register(flags, {
  value: "ZONE",
  description: "IANA name, such as Europe/Zurich; its calendar says what is overdue",
});
const access = (what: string) => ({ value: "on|off", description: `whether the workspace's tier has ${what}` });
const ApiAccess = OnOff.optional().register(flags, access("API access"));
const AssistantAccess = OnOff.optional().register(flags, access("assistant access"));
const Assistants = z.enum(ASSISTANT_MODES, "must be read or write").optional().register(flags, {
  value: "read|write",
  description: "whether assistants may only read, regardless of their scopes, or also write",
});

export const workspaceCommands: readonly Command[] = [
  command({
    noun: "workspace",
    verb: "create",
    startsStore: true,
    summary: "make a workspace (both kinds of access are on unless said otherwise)",
    input: z.strictObject({
      name: Name,
      timezone: Timezone,
      api_access: ApiAccess,
      assistant_access: AssistantAccess,
      assistants: Assistants,
    }),
    run: ({ core }, { api_access = true, assistant_access = true, assistants = "write", ...settings }) =>
      operate(core, core.newId(), createWorkspace, { ...settings, api_access, assistant_access, assistants }),
  }),
  command({
    noun: "workspace",
    verb: "set",
    summary: "change a workspace's name, timezone, access, or how far assistants may go",
    input: z.strictObject({
      workspace: WorkspaceOption,
      name: Name.optional().register(flags, { value: "NAME", description: "its new name" }),
      timezone: Timezone.optional().register(flags, { value: "ZONE", description: "IANA name" }),
      api_access: ApiAccess,
      assistant_access: AssistantAccess,
      assistants: Assistants,
    }),
    async run({ core }, { workspace, ...change }) {
      return operate(core, (await findWorkspace(core, workspace)).id, setWorkspace, change);
    },
  }),
  command({
    noun: "workspace",
    verb: "list",
    summary: "every workspace",
    input: z.strictObject({}),
    run: ({ core }) => listWorkspaces(core),
  }),
];
