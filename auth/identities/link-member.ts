import { z } from "zod";
import { operation } from "../../src/core/gate/operation.ts";
import { workStep } from "../../src/core/gate/work-step.ts";
import { notFound } from "../../src/core/kernel/error.ts";
import { tellPerson } from "../account-acts.ts";
import { Email } from "../members/member.ts";
import {
  connectionsEndingWith,
  type KnownLink,
  liveLink,
  MemberLinkSchema,
  memberLinkOnWire,
  revoked,
  Subject,
  takeBack,
} from "./member-link.ts";
import { insertIdentity, selectMembersByEmail } from "./queries.ts";

const unlinkEarlier = workStep({
  name: "unlinkMember",
  callers: ["operator"],
  async run(context, link: KnownLink) {
    context.audit({ type: "member_identity", id: link.id });
    return takeBack(context, link);
  },
});

/** Links an issuer's subject to a member, in place of any other. Throws `not_found` if the email is no member's. */
export const linkMember = operation({
  id: "linkMember",
  summary: "Tell who a member is to an OpenID provider or external issuer",
  callers: ["operator"],
  permission: "admin",
  scope: null,
  sideEffects: "Ends the sessions and connections of the member the subject was linked to before.",
  input: z.strictObject({ email: Email.describe("the member's email address"), ...Subject.shape }),
  output: MemberLinkSchema,
  allTenants: true,
  async stops({ tx, actor: { tenantId } }, { email, ...identity }) {
    const before = await liveLink(tx, tenantId, identity);
    if (before === undefined || before.email === email) return [];
    return revoked(await connectionsEndingWith(tx, tenantId, before));
  },
  async run(context, { email, ...identity }) {
    const { tx, core, actor, now, audit, afterCommit } = context;
    const { tenantId } = actor;
    const [member] = await selectMembersByEmail(tx, email, tenantId);
    if (member === undefined) throw notFound("member", `with the email ${email}: member list shows all`);
    const before = await liveLink(tx, tenantId, identity);
    const id = before?.member_id === member.member_id ? before.id : core.newId();
    audit(before?.id === id ? null : { type: "member_identity", id });
    if (before?.id === id) return memberLinkOnWire(before);
    if (before !== undefined) {
      const ended = await unlinkEarlier.within(context, actor, before);
      for (const notice of revoked(ended)) afterCommit(() => core.store.publish(notice));
    }
    const row = { tenant_id: tenantId, identity_id: id, member_id: member.member_id, ...identity };
    await insertIdentity(tx, { ...row, created_at: now, removed_at: null });
    await tellPerson(tx, core, { notice: "sign_in_linked", personId: member.person_id });
    return { id, email, ...identity, created_at: now };
  },
});
