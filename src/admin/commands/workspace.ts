import { z } from "zod";
import { listApiKeys, liveKeysOf } from "../../../auth/api-keys/api-key.ts";
import { createApiKey } from "../../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../../auth/api-keys/revoke-api-key.ts";
import { allowAssistantAgain, listBlocked } from "../../../auth/external-issuer/blocked-connections.ts";
import { linkMember } from "../../../auth/identities/link-member.ts";
import { listLinks } from "../../../auth/identities/member-link.ts";
import { unlinkMember } from "../../../auth/identities/unlink-member.ts";
import { listConnections } from "../../../auth/list-connections.ts";
import { addMember } from "../../../auth/members/add-member.ts";
import { Email, listMembers } from "../../../auth/members/member.ts";
import { eraseMember, exportMember } from "../../../auth/members/personal-data.ts";
import { removeMember } from "../../../auth/members/remove-member.ts";
import { setMemberRole } from "../../../auth/members/set-member-role.ts";
import { revokeAssistants } from "../../../auth/revoke-assistants.ts";
import { removeSecondFactor } from "../../../auth/second-factor/remove-second-factor.ts";
import { setSignInRules } from "../../../auth/sign-in-rules/operations.ts";
import { showSignIn } from "../../../auth/upstream-sign-in/providers.ts";
import { removeSignIn } from "../../../auth/upstream-sign-in/remove-sign-in.ts";
import { setSignIn } from "../../../auth/upstream-sign-in/set-sign-in.ts";
import { readAuditTrail } from "../../core/audit-trail/read-audit-trail.ts";
import { notFound, ServiceError } from "../../core/kernel/error.ts";
import { cleanText } from "../../core/kernel/text.ts";
import { validationFailed } from "../../core/kernel/validation.ts";
import { removeMailLogo } from "../../core/mail/operations/set-mail-logo.ts";
import { getMailSettings, setMailSettings } from "../../core/mail/operations/set-mail-settings.ts";
import { createWorkspace } from "../../core/workspace/operations/create-workspace.ts";
import { setWorkspace } from "../../core/workspace/operations/set-workspace.ts";
import { findWorkspace, listWorkspaces } from "../../core/workspace/workspaces.ts";
import { type AdminContext, command, operatorIn, task, type WorkspaceContext } from "../command.ts";
import { toggle } from "../fields.ts";
import { inLines } from "../render.ts";

const PASSWORDS = {
  set: "The person has the password that was given.",
  replaced: "Their password was replaced, in every workspace, and they were signed out of every browser.",
  kept: "They sign in with the password they have.",
  none: "They have no password: give one with --password-stdin, or have them sign in at the workspace's OpenID provider.",
};

/** The note after a person was added. */
function addedNote({ role, previous_role: before, password }: z.output<typeof addMember.output>) {
  if (before === null) return `Added as ${role}. ${PASSWORDS[password]} No mail invites them: tell them.`;
  const was = before === role ? `, as ${role}` : `: the role is ${role}, not ${before}`;
  return `Was a member already${was}. ${PASSWORDS[password]}`;
}

/** What is left in a workspace after a person: whether an admin is, and keys that they made. */
async function leftAfter(operate: WorkspaceContext["operate"], email: string) {
  const members = await operate(listMembers, {});
  const keys = liveKeysOf(await operate(listApiKeys, {}), email);
  return { has_admin: members.some(({ role }) => role === "admin"), keys };
}

/** What an operator has to know of what is left in a workspace. */
const leftInWords = (name: string, left: Awaited<ReturnType<typeof leftAfter>>) => [
  !left.has_admin && `${name} has no admin now: member add --role admin makes one.`,
  left.keys !== null && `${name}: ${left.keys}. api-key list says which (made_by), api-key revoke ends one.`,
];

const OF_PERSON = {
  own: {
    workspace: z.string().min(1).optional().describe("one workspace, by name or id"),
    all: toggle("every workspace"),
    email: Email.describe("the person's email address"),
  },
};

/** What it answers; null where it finds nothing. Throws other errors. */
const ifFound = <T>(answer: Promise<T>) =>
  answer.catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === "not_found") return null;
    throw error;
  });

/** What `act` answers in each workspace that knows the person, with its name. Throws `not_found` where none does. */
async function ofPerson<T extends object>(
  context: AdminContext,
  { workspace, all, email }: { workspace?: string | undefined; all: boolean; email: string },
  act: (operate: WorkspaceContext["operate"]) => Promise<T>,
) {
  if (all === (workspace !== undefined))
    throw validationFailed([{ field: "workspace", message: "must be given, or --all: one of the two" }]);
  const asked = workspace === undefined ? await listWorkspaces(context) : [await findWorkspace(context, workspace)];
  const answers: ({ name: string } & T)[] = [];
  for (const { id, name } of asked) {
    const answer = await ifFound(act(operatorIn(context, id)));
    if (answer !== null) answers.push({ name, ...answer });
  }
  if (answers.length === 0) throw notFound("person", `with the email ${email} is known there`);
  return answers;
}

/** Entries of one command; a trail may have millions. */
const MAX_ENTRIES = 1_000;

export const workspaceCommands = [
  command("workspace create", createWorkspace, { startsStore: true }),
  command("workspace set", setWorkspace, { options: { name: ["NAME", "its new name"] } }),
  task("workspace list", { summary: "every workspace", run: listWorkspaces }),
  command("workspace set-sign-in", setSignIn, {
    note: "Register {base_url}/organisation/{workspace_id}/callback there; people begin at {base_url}/organisation?workspace={workspace_id}.",
  }),
  command("workspace remove-sign-in", removeSignIn),
  command("workspace set-sign-in-rules", setSignInRules),
  command("workspace show-sign-in", showSignIn),
  command("mail set", setMailSettings),
  command("mail show", getMailSettings),
  command("mail remove-logo", removeMailLogo),
  command("member add", addMember, {
    options: {
      password: ["--password-stdin", "read the person's password from standard input; it replaces the one they have"],
    },
    note: addedNote,
  }),
  command("member role", setMemberRole),
  command("member remove", removeMember, {
    async run({ operate, workspace }, { member }) {
      const removed = await operate(removeMember, { member });
      return { ...removed, workspace, ...(await leftAfter(operate, removed.email)) };
    },
    note: ({ workspace, assignee_of: workflows, ...left }) =>
      inLines(
        workflows.length > 0 &&
          `${workflows.join(", ")} has no assignee now, and nobody is told of its tasks: workflow enable --type payment_arrangement --assignee EMAIL.`,
        ...leftInWords(workspace, left),
      ) || null,
  }),
  command("member remove-second-factor", removeSecondFactor),
  task("member export", {
    summary: "all that is kept about a person, as JSON; without secrets",
    ...OF_PERSON,
    run: (context, which) => ofPerson(context, which, (operate) => operate(exportMember, { email: which.email })),
    show: (result) => [JSON.stringify(result, null, 2)],
  }),
  task("member erase", {
    summary: "remove a person, with name, addresses and account, for good; what money and the audit trail need stays",
    own: { ...OF_PERSON.own, yes: toggle("even the only admin of a workspace") },
    async run(context, { yes, ...which }) {
      const { email } = which;
      const checked = await ofPerson(context, which, async (operate) => {
        const admins = (await operate(listMembers, {})).filter(({ role }) => role === "admin");
        return { isLast: admins.length > 0 && admins.every((admin) => admin.email === email) };
      });
      const without = checked.filter(({ isLast }) => isLast).map(({ name }) => name);
      if (without.length > 0 && !yes)
        throw new ServiceError(
          "conflict",
          `${email} is the only admin of ${without.join(", ")}, and cannot be brought back. Nothing was changed. Confirm (--yes) to erase them all the same.`,
        );
      return ofPerson(context, which, async (operate) => {
        await ifFound(operate(removeMember, { member: { email } }));
        const left = await leftAfter(operate, email);
        return { ...(await operate(eraseMember, { email })), ...left };
      });
    },
    note: (erased) =>
      inLines(
        "Backups made before still name the person: after restoring one, erase again. So do mails in DATA_DIR/outbox.",
        erased.every(({ account }) => account === "kept") &&
          "Their account stays, because another workspace knows them, or did: member erase --all.",
        ...erased.flatMap(({ name, ...left }) => leftInWords(name, left)),
      ),
  }),
  command("member list", listMembers),
  command("member link", linkMember),
  command("member unlink", unlinkMember),
  command("member links", listLinks),
  command("assistant list", listConnections, {
    async run({ operate }) {
      const connections = await operate(listConnections, {});
      return connections.map(({ id, person: { email }, clientName, scopes, lastUsedAt, revokedAt }) => ({
        ...{ id, email, assistant: cleanText(clientName), scopes: scopes.join(" ") },
        ...{ last_used_at: lastUsedAt, revoked_at: revokedAt },
      }));
    },
  }),
  command("assistant revoke", revokeAssistants, {
    note: "A person can approve an assistant again. To keep all out: workspace set --assistant-access off.",
  }),
  command("assistant blocked", listBlocked),
  command("assistant allow", allowAssistantAgain),
  command("audit list", readAuditTrail, {
    summary: `who changed what in a workspace, and signed in, newest first; ${MAX_ENTRIES} entries at most`,
    options: {
      from: ["--since DATE", "the first day, in the workspace's timezone, such as 2026-11-30"],
      email: ["--person EMAIL", "what this person did, by themselves or through assistants", Email],
      operation: ["NAME", "one operation, such as createPaymentLinks"],
    },
    async run({ operate }, asked) {
      const { entries } = await operate(readAuditTrail, { ...asked, limit: MAX_ENTRIES });
      return entries.map(({ at, operation, outcome, labels, objectId, ...entry }) => ({
        ...{ at, by: entry.actorKind, who: entry.actorName, assistant: entry.clientName, operation, outcome },
        object_type: entry.objectType,
        object: labels.map(({ name, invoiceNumber }) => name ?? invoiceNumber).join(", ") || objectId,
        details: entry.details.map(([name, text]) => `${name} ${text}`).join(", "),
        request_id: entry.requestId,
      }));
    },
  }),
  command("api-key create", createApiKey, { note: "Keep the key now: it is not shown again." }),
  command("api-key list", listApiKeys),
  command("api-key revoke", revokeApiKey),
];
