import { z } from "zod";
import { preparedOperation } from "../../src/core/gate/prepared-operation.ts";
import { withdrawInvitationsOf } from "../../src/core/invitations/queries.ts";
import { tellPerson } from "../account-acts.ts";
import { hashPassword } from "../passwords.ts";
import { selectPersonByEmail } from "../session-queries.ts";
import { Email, findMember, lockMember, MEMBER_DEMOTED, MemberSchema, Password, RoleSchema } from "./member.ts";
import { deleteSessionsOf, upsertMember, upsertPerson } from "./queries.ts";

/**
 * Adds a person as a member, or changes the role of a member. An unknown person is created, and a given password
 * replaces theirs, in all workspaces, and signs out all their browsers.
 */
export const addMember = preparedOperation({
  id: "addMember",
  summary: "Add a member",
  callers: ["operator"],
  permission: "admin",
  scope: null,
  sideEffects:
    "The person may sign in from now on; a role that is less than before stops what their assistants are at.",
  input: z.strictObject({
    email: Email,
    role: RoleSchema,
    password: Password.optional(),
    name: z.string().optional(),
  }),
  output: MemberSchema.extend({
    previous_role: RoleSchema.nullable().describe("Of who was a member before; else null"),
    password: z
      .enum(["set", "replaced", "kept", "none"])
      .describe("`none`: the person has no password to sign in with"),
  }),
  allTenants: true,
  prepare: async (_call, { password }) => (password === undefined ? null : await hashPassword(password)),
  async stops({ tx, actor }, { email, role }) {
    const member = role === "admin" ? undefined : await findMember(tx, actor.tenantId, { email });
    return member === undefined ? [] : [{ topic: MEMBER_DEMOTED, payload: member.id }];
  },
  async run({ tx, actor, core, now, audit }, { email, role, name = null }, passwordHash) {
    const { tenantId } = actor;
    const person = { person_id: core.newId(), email, name, password_hash: passwordHash, created_at: now };
    const before = await findMember(tx, tenantId, { email });
    const had = ((await selectPersonByEmail(tx, email))?.password_hash ?? null) !== null;
    const { person_id: personId, ...known } = await upsertPerson(tx, person);
    if (passwordHash !== null) await deleteSessionsOf(tx, personId);
    const member = { ...known, tenant_id: tenantId, member_id: core.newId(), person_id: personId, role };
    const memberId = await upsertMember(tx, { ...member, created_at: now, removed_at: null });
    if (had && passwordHash !== null) await tellPerson(tx, core, { notice: "password_replaced", tenantId, personId });
    if (role !== "admin") await withdrawInvitationsOf(tx, { tenant_id: tenantId, invited_by: memberId }, now);
    const isSame = before?.role === role && passwordHash === null && name === null;
    audit(isSame ? null : { type: "member", id: memberId });
    const [given, kept] = had ? (["replaced", "kept"] as const) : (["set", "none"] as const);
    return {
      ...(await lockMember(tx, tenantId, { email })),
      previous_role: before?.role ?? null,
      password: passwordHash === null ? kept : given,
    };
  },
});
