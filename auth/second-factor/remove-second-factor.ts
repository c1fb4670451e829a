import { z } from "zod";
import { operation } from "../../src/core/gate/operation.ts";
import { notFound } from "../../src/core/kernel/error.ts";
import { tellPerson } from "../account-acts.ts";
import { findMember, MemberRef, noSuchMember } from "../members/member.ts";
import { deleteSessionsOf, personOf } from "../members/queries.ts";
import { deleteFactor } from "./queries.ts";

/** Deletes the second factor of a member who lost it and their recovery codes. Throws `not_found`. */
export const removeSecondFactor = operation({
  id: "removeSecondFactor",
  summary: "Let a member who lost their app and recovery codes sign in with their password only",
  callers: ["operator"],
  permission: "admin",
  scope: null,
  sideEffects: "The person signs in with their password only, in all their workspaces, and is signed out everywhere.",
  input: z.strictObject({ member: MemberRef }),
  output: z.strictObject({ email: z.string() }),
  allTenants: true,
  async run({ tx, core, actor: { tenantId }, audit }, { member: which }) {
    const member = await findMember(tx, tenantId, which);
    if (member === undefined) throw noSuchMember(which);
    const personId = await personOf(tx, tenantId, member.id);
    if (!(await deleteFactor(tx, personId))) throw notFound("second factor", `of ${member.email}`);
    await deleteSessionsOf(tx, personId);
    await tellPerson(tx, core, { notice: "factor_removed", personId });
    audit({ type: "member", id: member.id });
    return { email: member.email };
  },
});
