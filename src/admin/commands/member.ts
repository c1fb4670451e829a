import { z } from "zod";
import { linkMember } from "../../../auth/identities/link-member.ts";
import { listLinks } from "../../../auth/identities/member-link.ts";
import { unlinkMember } from "../../../auth/identities/unlink-member.ts";
import { addMember } from "../../../auth/members/add-member.ts";
import { Email, listMembers } from "../../../auth/members/member.ts";
import { eraseMember, exportMember } from "../../../auth/members/personal-data.ts";
import { removeMember } from "../../../auth/members/remove-member.ts";
import { setMemberRole } from "../../../auth/members/set-member-role.ts";
import { removeSecondFactor } from "../../../auth/second-factor/remove-second-factor.ts";
import { notFound, ServiceError } from "../../core/kernel/error.ts";
import { validationFailed } from "../../core/kernel/validation.ts";
import { findWorkspace, listWorkspaces } from "../../core/workspace/workspaces.ts";
import { type AdminContext, type Command, command, operatorIn, task, type WorkspaceContext } from "../command.ts";
import { own, type Typed, toggle } from "../options.ts";

const EMAIL = "the person's email address";
const MEMBER: Typed = ["--email EMAIL", EMAIL, Email.transform((email) => ({ email }))];
const SUBJECT = { issuer: "URL", subject: "SUB" };

type Added = z.output<typeof addMember.output>;

const PASSWORDS: Readonly<Record<Added["password"], string>> = {
  set: "The person has the password that was given.",
  replaced: "Their password was replaced, in every workspace, and they were signed out of every browser.",
  kept: "They sign in with the password they have.",
  none: "They have no password: give one with --password-stdin, or have them sign in at the workspace's OpenID provider.",
};

/** The note after a person was added. */
function addedNote({ role, previous_role: before, password }: Added): string {
  if (before === null) return `Added as ${role}. ${PASSWORDS[password]} No mail invites them: tell them.`;
  const was =
    before === role ? `Was a member already, as ${role}.` : `Was a member already: the role is ${role}, not ${before}.`;
  return `${was} ${PASSWORDS[password]}`;
}

/** The note about workflows without an assignee. */
function removedNote({ assignee_of: workflows }: z.output<typeof removeMember.output>): string | null {
  if (workflows.length === 0) return null;
  return `${workflows.join(", ")} has no assignee now, and nobody is told of its tasks: workflow enable --type payment_arrangement --assignee EMAIL.`;
}

const WHERE = {
  workspace: own("NAME", "one workspace, by name or id", z.string().min(1).optional()),
  all: toggle("every workspace"),
  email: own("EMAIL", EMAIL, Email),
};

/** What `act` answers of each workspace that knows the person, with its name. Throws `not_found` where none does. */
async function ofPerson<T extends object>(
  context: AdminContext,
  { workspace, all, email }: { workspace: string | undefined; all: boolean; email: string },
  act: (operate: WorkspaceContext["operate"]) => Promise<T>,
): Promise<(T & { name: string })[]> {
  if (all === (workspace !== undefined))
    throw validationFailed([{ field: "workspace", message: "must be given, or --all: one of the two" }]);
  const { core } = context;
  const asked = workspace === undefined ? await listWorkspaces(core) : [await findWorkspace(core, workspace)];
  const answers: (T & { name: string })[] = [];
  for (const { id, name } of asked) {
    try {
      answers.push({ name, ...(await act(operatorIn(context, id))) });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "not_found") throw error;
    }
  }
  if (answers.length === 0) throw notFound("person", `with the email ${email} is known there`);
  return answers;
}

export const memberCommands: readonly Command[] = [
  command("member add", addMember, {
    options: {
      password: ["--password-stdin", "read the person's password from standard input; it replaces the one they have"],
    },
    note: addedNote,
  }),
  command("member role", setMemberRole, {
    options: { member: MEMBER },
  }),
  command("member remove", removeMember, {
    options: { member: MEMBER },
    note: removedNote,
  }),
  command("member remove-second-factor", removeSecondFactor, {
    options: { member: MEMBER },
  }),
  task("member export", {
    summary: "all that is kept about a person, as JSON; without secrets",
    own: WHERE,
    run: (context, which) => ofPerson(context, which, (operate) => operate(exportMember, { email: which.email })),
    show: (result) => JSON.stringify(result, null, 2),
  }),
  task("member erase", {
    summary: "remove a person, with name, addresses and account, for good; what money and the audit trail need stays",
    note: "Backups made before still name the person. After restoring one, erase again.",
    own: WHERE,
    run: (context, which) =>
      ofPerson(context, which, async (operate) => {
        const { email } = which;
        const members = await operate(listMembers, {});
        if (members.some((member) => member.email === email)) await operate(removeMember, { member: { email } });
        return operate(eraseMember, { email });
      }),
  }),
  command("member list", listMembers),
  command("member link", linkMember, {
    options: SUBJECT,
  }),
  command("member unlink", unlinkMember, {
    options: SUBJECT,
  }),
  command("member links", listLinks),
];
