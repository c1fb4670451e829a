import { type Core, nowOf } from "../../src/core/gate/dependencies.ts";
import { workStep } from "../../src/core/gate/work-step.ts";
import type { Transaction } from "../../src/store/store.ts";
import { tellPerson } from "../account-acts.ts";
import {
  type Identity,
  insertIdentity,
  selectIdentities,
  selectLinks,
  selectMembersByEmail,
  tombstoneIdentity,
} from "./queries.ts";

/** An email that the issuer verified, and a subject without a link. */
interface VerifiedEmail extends Identity {
  /** Lower case. */
  email: string;
  /** The required workspace; null for any, if exactly one matches. */
  tenantId: string | null;
}

/**
 * Links a subject to the member with the email. Not if that is ambiguous, the link was removed before, or the issuer
 * already knows the member by another subject: an email can pass from one person to another.
 */
export async function linkByEmail(
  core: Core,
  tx: Transaction,
  { issuer, subject, email, tenantId }: VerifiedEmail,
): Promise<boolean> {
  const [member, ...others] = await selectMembersByEmail(tx, email, tenantId);
  if (member === undefined || others.length > 0) return false;
  const earlier = await selectIdentities(tx, { issuer, subject }, member.tenant_id);
  if (earlier.some((one) => one.member_removed_at === null || wasTakenBack(one))) return false;
  const links = await selectLinks(tx, member.tenant_id).where("identity.member_id", "=", member.member_id).execute();
  if (links.some((link) => link.issuer === issuer)) return false;
  const now = nowOf(core);
  // A link of a membership that has ended makes room for a new one.
  for (const { removed_at, identity_id: identityId } of earlier)
    if (removed_at === null) await tombstoneIdentity(tx, { tenantId: member.tenant_id, identityId, now });
  const actor = { kind: "system", tenantId: member.tenant_id, name: "link_by_email" } as const;
  const link = { issuer, subject, member_id: member.member_id };
  await linkVerified.within({ tx, core, requestId: core.newId() }, actor, link);
  await tellPerson(tx, core, { notice: "sign_in_linked", personId: member.person_id });
  return true;
}

const linkVerified = workStep({
  name: "linkMember",
  callers: ["system"],
  async run({ tx, core, actor: { tenantId }, audit }, link: Identity & { member_id: string }) {
    const [id, now] = [core.newId(), nowOf(core)];
    await insertIdentity(tx, { ...link, tenant_id: tenantId, identity_id: id, created_at: now, removed_at: null });
    audit({ type: "member_identity", id });
  },
});

/** Whether somebody removed the link during the membership. */
function wasTakenBack({ removed_at: removedAt, member_removed_at: leftAt }: EarlierLink) {
  return removedAt !== null && (leftAt === null || removedAt <= leftAt);
}

type EarlierLink = Awaited<ReturnType<typeof selectIdentities>>[number];
