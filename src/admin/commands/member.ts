import { z } from "zod";
import { addMember } from "../../../auth/members/add-member.ts";
import { Email, listMembers, Password } from "../../../auth/members/member.ts";
import { removeMember } from "../../../auth/members/remove-member.ts";
import { setMemberRole } from "../../../auth/members/set-member-role.ts";
import { operate } from "../../core/operator.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { type Command, command, flags } from "../command.ts";
import { SecretLine, WorkspaceOption } from "../inputs.ts";

const EmailOption = Email.clone().register(flags, { value: "EMAIL", description: "the person's email address" });
const RoleOption = z
  .enum(["admin", "member"], "must be admin or member")
  .register(flags, { value: "admin|member", description: "what the person may do" });

export const memberCommands: readonly Command[] = [
  command({
    noun: "member",
    verb: "add",
    summary: "let a person into a workspace, or give a person there a new password",
    input: z.strictObject({
      workspace: WorkspaceOption,
      email: EmailOption,
      role: RoleOption,
      password: SecretLine.pipe(Password).optional().register(flags, {
        value: null,
        stdin: true,
        description: "read the person's password from standard input; it replaces the one they have",
      }),
    }),
    async run({ core }, { workspace, ...member }) {
      return operate(core, (await findWorkspace(core, workspace)).id, addMember, member);
    },
  }),
  command({
    noun: "member",
    verb: "role",
    summary: "change a member's role, from their next call on",
    input: z.strictObject({ workspace: WorkspaceOption, email: EmailOption, role: RoleOption }),
    async run({ core }, { workspace, email, role }) {
      const { id } = await findWorkspace(core, workspace);
      return operate(core, id, setMemberRole, { member: { email }, role });
    },
  }),
  command({
    noun: "member",
    verb: "remove",
    summary: "end a membership and revoke every assistant connection of it, at once",
    input: z.strictObject({ workspace: WorkspaceOption, email: EmailOption }),
    async run({ core }, { workspace, email }) {
      return operate(core, (await findWorkspace(core, workspace)).id, removeMember, { member: { email } });
    },
  }),
  command({
    noun: "member",
    verb: "list",
    summary: "the members of a workspace",
    input: z.strictObject({ workspace: WorkspaceOption }),
    async run({ core }, { workspace }) {
      return listMembers(core, (await findWorkspace(core, workspace)).id);
    },
  }),
];
