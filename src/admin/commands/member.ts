import { z } from "zod";
import { addMember } from "../../../auth/members/add-member.ts";
import { Email, listMembers, Password } from "../../../auth/members/member.ts";
import { removeMember } from "../../../auth/members/remove-member.ts";
import { setMemberRole } from "../../../auth/members/set-member-role.ts";
import { operate } from "../../core/gate/operator.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { type Command, command, flags } from "../command.ts";
import { SecretLine, WorkspaceOption } from "../inputs.ts";

const EmailOption = Email.clone().register(flags, { value: "EMAIL", description: "the person's email address" });
const RoleOption = z
  .enum(["admin", "member"], "must be admin or member")
  .register(flags, { value: "admin|member", description: "what the person may do" });

const Added = z.looseObject({
  role: z.string(),
  previous_role: z.string().nullable(),
  password: z.enum(["set", "replaced", "kept", "none"]),
});

const PASSWORDS: Readonly<Record<z.output<typeof Added>["password"], string>> = {
  set: "The person has the password that was given.",
  replaced: "Their password was replaced, in every workspace, and they were signed out of every browser.",
  kept: "They sign in with the password they have.",
  none: "They have no password: give one with --password-stdin, or have them sign in at the workspace's OpenID provider.",
};

/** The note after a person was added. */
function addedNote(result: unknown): string {
  const { role, previous_role: before, password } = Added.parse(result);
  if (before === null) return `Added as ${role}. ${PASSWORDS[password]} No mail is sent: tell them.`;
  const was =
    before === role ? `Was a member already, as ${role}.` : `Was a member already: the role is ${role}, not ${before}.`;
  return `${was} ${PASSWORDS[password]}`;
}

const Removed = z.looseObject({ assignee_of: z.array(z.string()) });

/** The note about workflows without an assignee. */
function removedNote(result: unknown): string | null {
  const { assignee_of: workflows } = Removed.parse(result);
  if (workflows.length === 0) return null;
  return `${workflows.join(", ")} has no assignee now, and nobody is told of its tasks: workflow enable --type payment_arrangement --assignee EMAIL.`;
}

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
    note: addedNote,
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
    note: removedNote,
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
