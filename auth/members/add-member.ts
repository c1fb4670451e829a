import { z } from "zod";
import { withdrawInvitationsOf } from "../../src/core/accounts/invitation-queries.ts";
import { operation } from "../../src/core/gate/operation.ts";
import { givePassword } from "../give-password.ts";
import { hashPassword } from "../passwords.ts";
import { selectPasswordHash } from "../session-queries.ts";
import { Email, findMember, MEMBER_DEMOTED, MemberSchema, Password, RoleSchema, readMember } from "./member.ts";
import { lockAdmins, upsertMember, upsertPerson } from "./queries.ts";

/**
 * Adds a person as a member, or changes the role of a member. An unknown person is created, and a given password
 * replaces theirs, in all workspaces, and signs out all their browsers.
 */
export const addMember = operation({
  id: "addMember",
  summary: "Let a person into a workspace, or give a person there a new password",
  callers: ["operator"],
  permission: "admin",
  scope: null,
  sideEffects:
    "The person may sign in from now on; a role that is less than before stops what their assistants are at.",
  input: z.strictObject({
    email: Email.describe("the person's email address"),
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
    const newId = core.newId();
    await lockAdmins(tx, tenantId);
    const before = await findMember(tx, tenantId, { email });
    // A member needs no invitation: one that is open may offer less than they have now, and a password of its reader's.
    await withdrawInvitationsOf(tx, { tenant_id: tenantId, email }, now);
    const person = await upsertPerson(tx, { person_id: newId, email, name, created_at: now });
    const { person_id: personId } = person;
    const had = (await selectPasswordHash(tx, personId)) !== null;
    const member = { ...person, tenant_id: tenantId, member_id: core.newId(), role };
    const memberId = await upsertMember(tx, { ...member, created_at: now, removed_at: null });
    const notice = had ? "password_replaced" : "password_set";
    if (passwordHash !== null)
      await givePassword(tx, core, { personId, to: passwordHash, notice: personId === newId ? null : notice });
    if (role !== "admin") await withdrawInvitationsOf(tx, { tenant_id: tenantId, invited_by: memberId }, now);
    const isSame = before?.role === role && passwordHash === null && name === null;
    audit(isSame ? null : { type: "member", id: memberId });
    const [given, kept] = had ? (["replaced", "kept"] as const) : (["set", "none"] as const);
    return {
      ...(await readMember(tx, tenantId, { email })),
      previous_role: before?.role ?? null,
      password: passwordHash === null ? kept : given,
    };
  },
});
