import { z } from "zod";
import { linkMember } from "../../../auth/identities/link-member.ts";
import { listLinks } from "../../../auth/identities/member-link.ts";
import { unlinkMember } from "../../../auth/identities/unlink-member.ts";
import { addMember } from "../../../auth/members/add-member.ts";
import { Email, listMembers, Password, RoleSchema } from "../../../auth/members/member.ts";
import { eraseMember, exportMember } from "../../../auth/members/personal-data.ts";
import { removeMember } from "../../../auth/members/remove-member.ts";
import { setMemberRole } from "../../../auth/members/set-member-role.ts";
import { removeSecondFactor } from "../../../auth/second-factor/remove-second-factor.ts";
import { notFound, ServiceError } from "../../core/kernel/error.ts";
import { validationFailed } from "../../core/kernel/validation.ts";
import { findWorkspace, listWorkspaces } from "../../core/workspace/workspaces.ts";
import { IssuerUrl } from "../../settings.ts";
import {
  type AdminContext,
  type Command,
  command,
  operatorIn,
  option,
  secret,
  toggle,
  type WorkspaceContext,
  workspaceCommand,
} from "../command.ts";
import { SecretLine } from "../inputs.ts";

const EmailOption = option(Email, "EMAIL", "the person's email address");
const RoleOption = option(RoleSchema, "admin|member", "what the person may do");

const Added = addMember.output.pick({ role: true, previous_role: true, password: true }).loose();

const PASSWORDS: Readonly<Record<z.output<typeof Added>["password"], string>> = {
  set: "The person has the password that was given.",
  replaced: "Their password was replaced, in every workspace, and they were signed out of every browser.",
  kept: "They sign in with the password they have.",
  none: "They have no password: give one with --password-stdin, or have them sign in at the workspace's OpenID provider.",
};

/** The note after a person was added. */
function addedNote(result: unknown): string {
  const { role, previous_role: before, password } = Added.parse(result);
  if (before === null) return `Added as ${role}. ${PASSWORDS[password]} No mail invites them: tell them.`;
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

const Where = z.strictObject({
  workspace: option(z.string().min(1).optional(), "NAME", "one workspace, by name or id"),
  all: toggle("every workspace"),
  email: EmailOption,
});

/** What `act` answers of each workspace that knows the person, with its name. Throws `not_found` where none does. */
async function ofPerson<T extends object>(
  context: AdminContext,
  { workspace, all = false, email }: z.output<typeof Where>,
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

const Issuer = option(IssuerUrl, "URL", "who knows the person, to the letter");
const Subject = option(z.string().min(1).max(255), "SUB", "what the issuer calls the person (the claim sub)");

export const memberCommands: readonly Command[] = [
  workspaceCommand("member add", {
    summary: "let a person into a workspace, or give a person there a new password",
    input: z.strictObject({
      email: EmailOption,
      role: RoleOption,
      password: secret(
        SecretLine.pipe(Password).optional(),
        "read the person's password from standard input; it replaces the one they have",
      ),
    }),
    run: ({ operate }, member) => operate(addMember, member),
    note: addedNote,
  }),
  workspaceCommand("member role", {
    summary: "change a member's role, from their next call on",
    input: z.strictObject({ email: EmailOption, role: RoleOption }),
    run: ({ operate }, { email, role }) => operate(setMemberRole, { member: { email }, role }),
  }),
  workspaceCommand("member remove", {
    summary: "end a membership and revoke every assistant connection of it, at once",
    input: z.strictObject({ email: EmailOption }),
    run: ({ operate }, { email }) => operate(removeMember, { member: { email } }),
    note: removedNote,
  }),
  workspaceCommand("member remove-second-factor", {
    summary: "let a member who lost their app and recovery codes sign in with their password only",
    input: z.strictObject({ email: EmailOption }),
    run: ({ operate }, { email }) => operate(removeSecondFactor, { member: { email } }),
  }),
  command("member export", {
    summary: "all that is kept about a person, as JSON; without secrets",
    input: Where,
    run: (context, which) => ofPerson(context, which, (operate) => operate(exportMember, { email: which.email })),
    show: (result) => JSON.stringify(result, null, 2),
  }),
  command("member erase", {
    summary: "remove a person, with name, addresses and account, for good; what money and the audit trail need stays",
    note: "Backups made before still name the person. After restoring one, erase again.",
    input: Where,
    run: (context, { email, ...where }) =>
      ofPerson(context, { email, ...where }, async (operate) => {
        const members = await operate(listMembers, {});
        if (members.some((member) => member.email === email)) await operate(removeMember, { member: { email } });
        return operate(eraseMember, { email });
      }),
  }),
  workspaceCommand("member list", {
    summary: "the members of a workspace",
    run: ({ operate }) => operate(listMembers, {}),
  }),
  workspaceCommand("member link", {
    summary: "tell who a member is to an OpenID provider or external issuer",
    input: z.strictObject({
      email: option(Email, "EMAIL", "the member's email address"),
      issuer: Issuer,
      subject: Subject,
    }),
    run: ({ operate }, link) => operate(linkMember, link),
  }),
  workspaceCommand("member unlink", {
    summary: "take that back: sessions and connections that came through it end at once",
    input: z.strictObject({ issuer: Issuer, subject: Subject }),
    run: ({ operate }, identity) => operate(unlinkMember, identity),
  }),
  workspaceCommand("member links", {
    summary: "the members whom an OpenID provider or external issuer knows",
    run: ({ operate }) => operate(listLinks, {}),
  }),
];
