import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { acceptInvitation, readInvitation } from "../../auth/invitations/answer-invitation.ts";
import { inviteMember } from "../../auth/invitations/invite-member.ts";
import { listInvitations } from "../../auth/invitations/list-invitations.ts";
import { addMember } from "../../auth/members/add-member.ts";
import { listMembers, type Member } from "../../auth/members/member.ts";
import { removeMember } from "../../auth/members/remove-member.ts";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import { signIn } from "../../auth/sign-in.ts";
import { invitationToken } from "../../src/core/accounts/invitation-token.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { lockRole } from "../../src/store/identity/authority.ts";
import { actAs } from "../support/acting.ts";
import { TestClock, testCore } from "../support/core.ts";
import { peopleOf } from "../support/people.ts";
import { rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

const PASSWORD = "a password of some length";
const newcomer = { name: "Nora New", password: PASSWORD };

describe.each(A_STORE)("members on $name", ({ open }) => {
  const clock = new TestClock();
  const opened = useStore(open);
  const core = testCore(opened.store, clock);
  let tenantId: string;
  let ada: Member;
  let bob: Member;

  beforeEach(async () => {
    ({ id: tenantId } = await peopleOf(core).addWorkspace());
    ada = await admin("ada");
    bob = await admin("bob");
  });

  const admin = (name: string) =>
    operate(core, tenantId, addMember, { email: `${name}-${randomUUID()}@example.test`, role: "admin" });
  const by = ({ id: memberId }: Member) => ({ tenantId, memberId });
  const roles = async () => (await operate(core, tenantId, listMembers, {})).map(({ role }) => role).sort();
  const asked = (token: string) => ({ token, requestId: "r-2" });
  /** Invites an address, and answers the token its mail would carry. */
  async function invited(email: string, role: "admin" | "member" = "member", from = ada): Promise<string> {
    await actAs(core, by(from), inviteMember, { email, role });
    const found = (await operate(core, tenantId, listInvitations, {})).find((one) => one.email === email);
    return invitationToken(core, found?.id ?? "");
  }
  const address = () => `new-${randomUUID()}@example.test`;
  const audited = () => rowsOf(core.store, tenantId, "audit_entries");

  it("two admins who demote or remove each other at once leave one of them [contract.pages.last-admin]", async () => {
    const outcomes = await Promise.allSettled([
      actAs(core, by(ada), setMemberRole, { member: { memberId: bob.id }, role: "member" }),
      actAs(core, by(bob), removeMember, { member: { memberId: ada.id } }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await roles()).filter((role) => role === "admin")).toEqual(["admin"]);
  });

  it("an admin is removed while another is at something [completions.1.removed-acts]", async ({ skip }) => {
    const { store } = core;
    if (store.kind === "embedded") return skip("it has one connection");
    const [eve, held, freed] = [await admin("eve"), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const act = store.patient.write(tenantId, async (tx) => {
      await lockRole(tx, by(bob));
      held.resolve();
      await freed.promise;
    });
    await held.promise;
    // Nor behind others who wait for who is at it: to be what they are, or to be an admin.
    await actAs(core, by(ada), setMemberRole, { member: { memberId: bob.id }, role: "admin" });
    const sam = await operate(core, tenantId, addMember, { email: address(), role: "member" });
    const another = store.patient.write(tenantId, async (tx) => {
      await lockRole(tx, by(sam));
      await freed.promise;
    });
    const promoted = actAs(core, by(ada), setMemberRole, { member: { memberId: sam.id }, role: "admin" }).catch(String);
    await sleep(300);
    const removed = actAs(core, by(ada), removeMember, { member: { memberId: eve.id } });
    await removed.finally(freed.resolve);
    await Promise.all([act, another, promoted]);
    expect((await roles()).filter((role) => role === "admin").length).toBeGreaterThan(1);
  });

  it("the last admin stays, whoever asks on the pages; an operator may [contract.pages.last-admin]", async () => {
    await actAs(core, by(ada), setMemberRole, { member: { memberId: bob.id }, role: "member" });
    for (const ending of [
      () => actAs(core, by(ada), setMemberRole, { member: { memberId: ada.id }, role: "member" }),
      () => actAs(core, by(ada), removeMember, { member: { memberId: ada.id } }),
    ])
      await expect(ending()).rejects.toMatchObject({ code: "conflict" });
    await expect(actAs(core, by(bob), removeMember, { member: { memberId: ada.id } })).rejects.toMatchObject({
      code: "permission_denied",
    });
    expect(await roles()).toEqual(["admin", "member"]);
    await operate(core, tenantId, setMemberRole, { member: { email: ada.email }, role: "member" });
    expect(await roles()).toEqual(["member", "member"]);
  });

  it("who did it stands in the audit trail [completions.1.member-audit]", async () => {
    const email = address();
    await acceptInvitation(core, asked(await invited(email)), newcomer);
    const nora = (await operate(core, tenantId, listMembers, {})).find((member) => member.email === email);
    await actAs(core, by(ada), setMemberRole, { member: { memberId: nora?.id ?? "" }, role: "admin" });
    await actAs(core, by(bob), removeMember, { member: { memberId: nora?.id ?? "" } });
    const entries = (await audited()).filter(({ operation }) => !["createWorkspace", "addMember"].includes(operation));
    expect(entries.map(({ operation, actor_id: actor }) => [operation, actor])).toEqual(
      expect.arrayContaining([
        ["inviteMember", ada.id],
        ["acceptInvitation", nora?.id],
        ["setMemberRole", ada.id],
        ["removeMember", bob.id],
      ]),
    );
    expect(entries).toHaveLength(4);
  });

  it("an invitation is good once, even when it is sent twice at the same moment [contract.pages.invitations]", async () => {
    const email = address();
    const token = await invited(email, "admin");
    expect(await readInvitation(core, token)).toMatchObject({ email, role: "admin", answeredBy: "password" });
    const outcomes = await Promise.allSettled([1, 2].map(() => acceptInvitation(core, asked(token), newcomer)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await operate(core, tenantId, listMembers, {})).filter((one) => one.email === email)).toMatchObject([
      { name: "Nora New", role: "admin" },
    ]);
    expect(await signIn(core, { email, password: PASSWORD, address: "a" })).toHaveProperty("personId");
    expect(await readInvitation(core, token)).toBeNull();
  });

  it("and only for seven days, until another is sent, or its sender is an admin no more [contract.pages.invitations]", async () => {
    const [late, twice, orphan] = [address(), address(), address()];
    const old = await invited(late);
    clock.advance(7 * 24 * 3600_000);
    const first = await invited(twice);
    const second = await invited(twice);
    const third = await invited(orphan, "member", bob);
    await actAs(core, by(ada), setMemberRole, { member: { memberId: bob.id }, role: "member" });
    for (const token of [old, first, third, "", "x".repeat(43)]) {
      expect(await readInvitation(core, token)).toBeNull();
      await expect(acceptInvitation(core, asked(token), newcomer)).rejects.toMatchObject({ code: "not_found" });
    }
    expect(await readInvitation(core, second)).toMatchObject({ email: twice });
    expect(await roles()).toEqual(["admin", "member"]);
  });

  it("takes nobody's account over: who has a password signs in, as themselves, to us [contract.pages.invitations]", async () => {
    const { id: elsewhere } = await peopleOf(core).addWorkspace();
    const email = address();
    await operate(core, elsewhere, addMember, { email, role: "admin", password: "the password they have" });
    const mine = await signIn(core, { email, password: "the password they have", address: "b" });
    if (!("personId" in mine)) throw new Error("not signed in");
    const token = await invited(email);
    expect(await readInvitation(core, token)).toMatchObject({ answeredBy: "sign_in" });
    const other = await signIn(core, { email, password: PASSWORD, address: "c" });
    expect(other).toEqual({ refused: "wrong" });
    for (const who of [newcomer, { name: "Nora New" }, { personId: randomUUID() }])
      await expect(acceptInvitation(core, asked(token), who)).rejects.toMatchObject({ code: "permission_denied" });
    await acceptInvitation(core, asked(token), mine);
    expect(await signIn(core, { email, password: "the password they have", address: "d" })).toEqual(mine);
    expect((await operate(core, tenantId, listMembers, {})).map((one) => one.email)).toContain(email);
  });

  it("is for somebody who is no member yet, and ends when they become one another way [contract.pages.invitations]", async () => {
    await expect(actAs(core, by(ada), inviteMember, { email: bob.email, role: "member" })).rejects.toMatchObject({
      code: "conflict",
    });
    const email = address();
    const token = await invited(email);
    await operate(core, tenantId, addMember, { email, role: "admin" });
    await expect(acceptInvitation(core, asked(token), newcomer)).rejects.toMatchObject({ code: "not_found" });
    expect((await operate(core, tenantId, listMembers, {})).find((one) => one.email === email)).toMatchObject({
      role: "admin",
    });
    expect(await signIn(core, { email, password: PASSWORD, address: "e" })).toEqual({ refused: "wrong" });
  });

  it("keeps nothing in the store that opens it [contract.pages.invitations]", async () => {
    const token = await invited(address());
    const rows = await rowsOf(core.store, null, "invitations");
    const mails = await rowsOf(core.store, null, "outgoing_mails");
    expect(JSON.stringify([rows, mails])).not.toContain(token);
  });

  it("no workspace mails strangers without end [contract.pages.invitations]", async () => {
    for (let sent = 0; sent < 30; sent += 1)
      await actAs(core, by(ada), inviteMember, { email: address(), role: "member" });
    await expect(actAs(core, by(ada), inviteMember, { email: address(), role: "member" })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
  });
});
