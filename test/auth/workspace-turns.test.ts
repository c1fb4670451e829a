import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { changePermissions } from "../../auth/connection-permissions.ts";
import { revokeConnection } from "../../auth/connections.ts";
import { acceptInvitation } from "../../auth/invitations/answer-invitation.ts";
import { inviteMember } from "../../auth/invitations/invite-member.ts";
import { removeMember } from "../../auth/members/remove-member.ts";
import { invitationToken } from "../../src/core/accounts/invitation-token.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { holdName } from "../../src/store/named-lock.ts";
import type { Transaction } from "../../src/store/store.ts";
import { actAs } from "../support/acting.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { everyRow } from "../support/every-row.ts";
import { waiting } from "../support/locks.ts";
import { refresh } from "../support/oauth-client.ts";
import { connectPerson } from "../support/oauth-person.ts";
import { rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("what the directory does, on $name", ({ name, open }) => {
  const site = useAuthApp(open);

  it("has the turns of the workspace whose rows it locks [contract.database.turns]", async () => {
    const { app } = site;
    const { store } = app.core;
    const locking: { about: string | undefined; locked: string }[] = [];
    const directory = store.directory.bind(store);
    const spied = vi.spyOn(store, "directory").mockImplementation((work, about, signal) => {
      const looked = async (tx: Transaction) => {
        const result = await work(tx);
        const { rows } = await sql<{ locked: string | null }>`
          select string_agg(distinct relation::regclass::text, ' ') as locked from pg_locks
          where pid = pg_backend_pid() and mode in ('RowShareLock', 'RowExclusiveLock') and relation::regclass::text
            in ('members', 'assistant_connections', 'invitations', 'member_identities')`.execute(tx);
        const locked = rows[0]?.locked ?? null;
        if (locked !== null) locking.push({ about, locked });
        return result;
      };
      return directory(looked, about, signal);
    });
    const person = await connectPerson(app, { scope: "receivables:read tasks:write" });
    const { workspace, memberId, connectionId } = person;
    const { person_id: personId } = await everyRow(store, (tx) =>
      tx.selectFrom("people").select("person_id").where("email", "=", person.email).executeTakeFirstOrThrow(),
    );
    const who = { personId, tenantId: null, secondFactor: false };
    const act = { who, connectionId, requestId: "req_test" };
    const invited = { email: `${randomUUID()}@example.test`, role: "member" as const };
    await actAs(app.core, { tenantId: workspace.id, memberId }, inviteMember, invited);
    const [invitation] = await rowsOf(store, workspace.id, "invitations", { email: invited.email });
    const token = invitationToken(app.core, invitation?.invitation_id ?? "");
    await acceptInvitation(app.core, { token, requestId: "req_test" }, { name: "Ana", password: PASSWORD });
    await changePermissions(app.core, { ...act, give: [], take: ["tasks:write"] });
    await revokeConnection(app.core, act);
    await operate(app.core, workspace.id, removeMember, { member: { memberId } });
    spied.mockRestore();
    expect(locking.filter(({ about }) => about !== workspace.id)).toEqual([]);
    expect(locking.length).toBeGreaterThanOrEqual(6);
  });

  it.skipIf(name === "the embedded store")(
    "has no more turns for one approval's refreshes than leave others theirs [contract.database.turns]",
    async () => {
      const { app } = site;
      const [one, other] = [await connectPerson(app), await connectPerson(app)];
      let flood: Promise<Response>[] = [];
      await app.core.store.patient.directory(async (tx) => {
        await holdName(tx, `refreshes of ${one.connectionId}`);
        flood = Array.from({ length: 12 }, () => refresh(app.origin, one.client, one.refreshToken));
        await expect.poll(() => waiting(app.core.store)).toBe(3);
        expect((await refresh(app.origin, other.client, other.refreshToken)).status).toBe(200);
        expect((await connectPerson(app)).accessToken).not.toBe("");
      });
      for (const { status } of await Promise.all(flood)) expect(status).toBe(200);
    },
  );
});
