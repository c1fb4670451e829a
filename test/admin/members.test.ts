import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addMember } from "../../auth/members/add-member.ts";
import { Email, listMembers } from "../../auth/members/member.ts";
import { removeMember } from "../../auth/members/remove-member.ts";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import { verifyPassword } from "../../auth/passwords.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { createWorkspace } from "../../src/core/workspace/operations/create-workspace.ts";
import { testCore } from "../support/core.ts";
import { everyRow } from "../support/every-row.ts";
import type { TestStore } from "../support/stores.ts";
import { A_STORE } from "../support/thorough.ts";

const SETTINGS = { timezone: "UTC", api_access: true, assistant_access: true };

describe.each(A_STORE)("members on $name", ({ open }) => {
  let opened: TestStore;
  let core: Core;
  let here: string;
  let there: string;
  beforeAll(async () => {
    opened = await open();
    core = testCore(opened.store);
    here = (await operate(core, core.newId(), createWorkspace, { name: "Here", ...SETTINGS })).id;
    there = (await operate(core, core.newId(), createWorkspace, { name: "There", ...SETTINGS })).id;
  });
  afterAll(() => opened.remove());

  const person = (email: string) =>
    everyRow(opened.store, (tx) =>
      tx.selectFrom("people").selectAll().where("email", "=", email).executeTakeFirstOrThrow(),
    );

  it("makes one person of one email, in as many workspaces as they are let into", async () => {
    const email = Email.parse("  Ana@Example.Test ");
    expect(email).toBe("ana@example.test");
    await operate(core, here, addMember, { email, role: "admin", password: "correct horse battery" });
    await operate(core, there, addMember, { email, role: "member" });
    const { password_hash: hash } = await person(email);
    expect(await verifyPassword("correct horse battery", hash)).toBe(true);
    expect(await operate(core, here, listMembers, {})).toMatchObject([{ email, role: "admin" }]);
    expect(await operate(core, there, listMembers, {})).toMatchObject([{ email, role: "member" }]);
  });

  it("replaces the password of an existing person, and signs them out", async () => {
    const email = "bo@example.test";
    await operate(core, here, addMember, { email, role: "member", password: "the first password" });
    const { person_id } = await person(email);
    const session = {
      session_hash: "s",
      person_id,
      created_at: "2026-03-10T15:00:00Z",
      expires_at: "2027-01-01T00:00:00Z",
    };
    await everyRow(opened.store, (tx) => tx.insertInto("web_sessions").values(session).execute());
    await operate(core, there, addMember, { email, role: "member", password: "the second password" });
    const { password_hash: hash } = await person(email);
    expect(await verifyPassword("the first password", hash)).toBe(false);
    expect(await verifyPassword("the second password", hash)).toBe(true);
    const sessions = await everyRow(opened.store, (tx) => tx.selectFrom("web_sessions").selectAll().execute());
    expect(sessions).toEqual([]);
  });

  it("changes a role and removes a member, leaving a tombstone [completions.1.member-removal]", async () => {
    const email = "cy@example.test";
    const { id } = await operate(core, here, addMember, { email, role: "admin" });
    const connection = {
      tenant_id: here,
      connection_id: core.newId(),
      member_id: id,
      client_id: "client",
      client_name: "An assistant",
      client_uri: null,
      scopes: ["receivables:read" as const],
      created_at: "2026-03-10T15:00:00Z",
      last_used_at: null,
      revoked_at: null,
      revoked_by: null,
    };
    await opened.store.write(here, (tx) => tx.insertInto("assistant_connections").values(connection).execute());

    expect(await operate(core, here, setMemberRole, { member: { email }, role: "member" })).toMatchObject({
      id,
      role: "member",
    });
    await operate(core, here, removeMember, { member: { email } });

    expect((await operate(core, here, listMembers, {})).map((member) => member.email)).not.toContain(email);
    const [row, approved] = await opened.store.read(here, async (tx) => [
      await tx.selectFrom("members").selectAll().where("member_id", "=", id).executeTakeFirstOrThrow(),
      await tx.selectFrom("assistant_connections").select("revoked_at").executeTakeFirstOrThrow(),
    ]);
    expect(row.removed_at).not.toBeNull();
    expect(approved.revoked_at).not.toBeNull();
    await expect(operate(core, here, setMemberRole, { member: { email }, role: "admin" })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(operate(core, here, removeMember, { member: { email } })).rejects.toMatchObject({ code: "not_found" });

    const back = await operate(core, here, addMember, { email, role: "member" });
    expect(back.id).not.toBe(id);
  });

  it("tells the operator's acts in the workspace's audit trail [completions.1.operator-audit]", async () => {
    const { id } = await operate(core, there, addMember, { email: "di@example.test", role: "member" });
    await operate(core, there, setMemberRole, { member: { email: "di@example.test" }, role: "admin" });
    const entries = await opened.store.read(there, (tx) =>
      tx.selectFrom("audit_entries").selectAll().where("object_id", "=", id).execute(),
    );
    expect(entries.map((entry) => entry.operation).sort()).toEqual(["addMember", "setMemberRole"]);
    expect(new Set(entries.map((entry) => entry.actor_kind))).toEqual(new Set(["operator"]));
  });
});
