import { beforeAll, describe, expect, it } from "vitest";
import { addMember } from "../../auth/members/add-member.ts";
import { listMembers } from "../../auth/members/member.ts";
import { removeMember } from "../../auth/members/remove-member.ts";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import { verifyPassword } from "../../auth/passwords.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { testCore } from "../support/core.ts";
import { peopleOf } from "../support/people.ts";
import { connectAssistant } from "../support/rows.ts";
import { addRows, rowOf, rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

describe.each(A_STORE)("members on $name", ({ open }) => {
  const opened = useStore(open);
  const core = testCore(opened.store);
  let here: string;
  let there: string;
  beforeAll(async () => {
    [here, there] = [(await peopleOf(core).addWorkspace()).id, (await peopleOf(core).addWorkspace()).id];
  });

  it("replaces the password of an existing person, and signs them out", async () => {
    const email = "bo@example.test";
    await operate(core, here, addMember, { email, role: "member", password: "the first password" });
    const person = () => rowOf(opened.store, null, "people", { email });
    const { person_id } = await person();
    const times = { created_at: "2026-03-10T15:00:00Z", expires_at: "2027-01-01T00:00:00Z" };
    await addRows(opened.store, null, { web_sessions: { session_hash: "s", person_id, ...times } });
    await operate(core, there, addMember, { email, role: "member", password: "the second password" });
    const { password_hash: hash } = await person();
    expect(await verifyPassword("the first password", hash)).toBe(false);
    expect(await verifyPassword("the second password", hash)).toBe(true);
    expect(await rowsOf(opened.store, null, "web_sessions")).toEqual([]);
  });

  it("removes a member with their assistants, leaving a tombstone [completions.1.member-removal]", async () => {
    const { member, person, connection } = await connectAssistant(opened.store, here);
    const [id, email] = [member.member_id, person.email];
    await operate(core, here, removeMember, { member: { email } });
    expect((await operate(core, here, listMembers, {})).map((one) => one.email)).not.toContain(email);
    const [row, approved] = await opened.store.read(here, async (tx) => [
      await tx.selectFrom("members").selectAll().where("member_id", "=", id).executeTakeFirstOrThrow(),
      await tx
        .selectFrom("assistant_connections")
        .select("revoked_at")
        .where("connection_id", "=", connection.connection_id)
        .executeTakeFirstOrThrow(),
    ]);
    expect(row.removed_at).not.toBeNull();
    expect(approved.revoked_at).not.toBeNull();
    const gone = { member: { email } };
    for (const act of [
      () => operate(core, here, setMemberRole, { ...gone, role: "admin" }),
      () => operate(core, here, removeMember, gone),
    ])
      await expect(act()).rejects.toMatchObject({ code: "not_found" });
    expect((await operate(core, here, addMember, { email, role: "member" })).id).not.toBe(id);
  });
});
