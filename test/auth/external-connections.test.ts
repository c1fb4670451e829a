import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { changePermissions } from "../../auth/connection-permissions.ts";
import { membershipsOf, revokeConnection } from "../../auth/connections.ts";
import { allowAssistantAgain, listBlocked } from "../../auth/external-issuer/blocked-connections.ts";
import { unlinkMember } from "../../auth/identities/unlink-member.ts";
import { addMember } from "../../auth/members/add-member.ts";
import { removeMember } from "../../auth/members/remove-member.ts";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import type { Scope } from "../../src/core/gate/actor.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { setWorkspace } from "../../src/core/workspace/operations/set-workspace.ts";
import { waiting } from "../support/locks.ts";
import { callerOf } from "../support/oauth-client.ts";
import { rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

import {
  call,
  claimsFor,
  expectRevoked,
  issuer,
  type Place,
  place,
  READ,
  useResource,
} from "./external-issuer-fixtures.ts";

describe.each(A_STORE)("connections through an external issuer on $name", ({ name, open }) => {
  const site = useResource(open);

  it("keep away what was taken away here, whatever tokens say, until it is given back here [completions.11.take-away] [completions.11.give]", async () => {
    const here = await place(site.core);
    const scope = `${READ} tasks:write`;
    const scopesNow = async (asked = scope): Promise<string[]> => {
      return (await site.caller(here, { scope: asked })).actor.scopes;
    };
    expect(await scopesNow()).toEqual([READ, "tasks:write"]);
    let { key: connectionId } = await site.caller(here, { scope });
    const who = { personId: await site.personOf(here), tenantId: null, secondFactor: false };
    const change = (give: Scope[], take: Scope[]) =>
      changePermissions(site.core, { who, connectionId, requestId: "r", give, take });
    await change([], ["tasks:write"]);
    expect(await scopesNow()).toEqual([READ]);
    await expect(change(["receipts:push"], [])).rejects.toMatchObject({ code: "permission_denied" });
    await revokeConnection(site.core, { who, connectionId, requestId: "req_test" });
    await operate(site.core, here.tenantId, allowAssistantAgain, { id: connectionId });
    expect(await scopesNow()).toEqual([READ]);
    ({ key: connectionId } = await site.caller(here, { scope }));
    await change(["tasks:write"], []);
    expect(await scopesNow()).toEqual([READ, "tasks:write"]);
    expect(await scopesNow(READ)).toEqual([READ]);
    await operate(site.core, here.tenantId, setWorkspace, { assistants: "read" });
    expect(await scopesNow(`${scope} receipts:push`)).toEqual([READ]);
    await operate(site.core, here.tenantId, setWorkspace, { assistants: "write" });
    expect(await scopesNow()).toEqual([READ, "tasks:write"]);
  });

  it("are told to their person by mail, once for each client [completions.11.approval-mail]", async () => {
    const here = await place(site.core);
    for (const jti of [randomUUID(), randomUUID()]) await site.ask(here, { jti });
    const mails = await rowsOf(site.core.store, here.tenantId, "outgoing_mails", {}, "kind");
    expect(mails).toMatchObject([{ kind: "assistant_connected", recipient: here.email }, { kind: "sign_in_linked" }]);
  });

  it("are recorded once, at their first use, for the linked member [facts.oauth.external-connection]", async () => {
    const here = await place(site.core);
    const tokens = await Promise.all([1, 2, 3, 4].map(() => issuer.sign(claimsFor(here))));
    const answers = await Promise.all(tokens.map(async (token) => callerOf(await call(site.url, token))));
    expect(new Set(answers.map(({ key }) => key)).size).toBe(1);
    expect(answers[0]?.actor).toMatchObject({ tenantId: here.tenantId, role: "admin", scopes: [READ] });
    const other = await site.caller(here, { client_id: "other" });
    expect(other.key).not.toBe(answers[0]?.key);
    const trail = await rowsOf(site.core.store, here.tenantId, "audit_entries", { operation: "connectAssistant" });
    expect(trail.map((entry) => entry.object_id).sort()).toEqual([answers[0]?.key, other.key].sort());
  });

  it("are stopped for good by a revocation, newer tokens too, until somebody allows them again [facts.oauth.sticky-block]", async () => {
    const here = await place(site.core);
    const { key } = await site.caller(here);
    const sibling = await site.caller(here, { client_id: "sibling" });
    await revokeConnection(site.core, { who: await whoIs(here), connectionId: key, requestId: "req_test" });
    await expectRevoked(await site.ask(here));
    site.clock.advance(60_000);
    await expectRevoked(await site.ask(here));
    const answer = await site.ask(here, { client_id: "sibling" });
    expect((await callerOf(answer)).key).toBe(sibling.key);

    expect((await operate(site.core, here.tenantId, listBlocked, {})).map(({ id }) => id)).toEqual([key]);
    const elsewhere = await place(site.core);
    await expect(operate(site.core, elsewhere.tenantId, allowAssistantAgain, { id: key })).rejects.toMatchObject({
      code: "not_found",
    });
    await operate(site.core, here.tenantId, allowAssistantAgain, { id: key });
    const again = await site.caller(here);
    expect(again.key).not.toBe(key);
    await expect(operate(site.core, here.tenantId, allowAssistantAgain, { id: key })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("end with the membership, and follow the role at every call [facts.oauth.external-member]", async () => {
    const here = await place(site.core, { role: "member" });
    const write = { scope: `${READ} tasks:write` };
    const asMember = await site.caller(here, write);
    expect(asMember.actor).toMatchObject({ role: "member", scopes: [READ] });
    await operate(site.core, here.tenantId, setMemberRole, { member: { email: here.email }, role: "admin" });
    const asAdmin = await site.caller(here, write);
    expect(asAdmin).toMatchObject({ key: asMember.key, actor: { role: "admin", scopes: [READ, "tasks:write"] } });
    const narrower = await site.caller(here);
    expect(narrower).toMatchObject({ key: asMember.key, actor: { scopes: [READ] } });

    await operate(site.core, here.tenantId, removeMember, { member: { email: here.email } });
    await expectRevoked(await site.ask(here));
    await operate(site.core, here.tenantId, addMember, { email: here.email, role: "member" });
    await expectRevoked(await site.ask(here));
    await site.link(here, here.email, here.subject);
    await expectRevoked(await site.ask(here));
    await operate(site.core, here.tenantId, allowAssistantAgain, { id: asMember.key });
    expect((await site.ask(here)).status).toBe(200);
  });

  it("end with the link, whoever it is given to next [facts.oauth.external-link]", async () => {
    const here = await place(site.core);
    const { key } = await site.caller(here);
    await operate(site.core, here.tenantId, unlinkMember, { issuer: issuer.url, subject: here.subject });
    await expectRevoked(await site.ask(here));
    const colleague = `${randomUUID()}@example.com`;
    await operate(site.core, here.tenantId, addMember, { email: colleague, role: "member" });
    await site.link(here, colleague, here.subject);
    await expectRevoked(await site.ask(here));
    const fresh = await site.caller(here, { client_id: "fresh" });
    expect(fresh.key).not.toBe(key);
    expect(fresh.actor.role).toBe("member");
    await site.link(here, here.email, here.subject);
    await expectRevoked(await site.ask(here, { client_id: "fresh" }));
  });

  it("of a member are 50 at most: the one unused longest ends as if it was revoked [facts.oauth.external-connection]", async () => {
    const here = await place(site.core);
    const use = async (client: string) => (await site.caller(here, { client_id: client })).key;
    const live = () => rowsOf(site.core.store, here.tenantId, "assistant_connections", { revoked_at: null });
    const [first, second] = [await use("first"), await use("second")];
    for (let n = 0; n < 48; n += 1) {
      site.clock.advance(5_000);
      await use(`client ${n}`);
    }
    expect(await use("first")).toBe(first);
    site.clock.advance(5_000);
    await use("one more");
    expect(await live()).toHaveLength(50);
    await expectRevoked(await site.ask(here, { client_id: "second" }));
    expect(await use("first")).toBe(first);
    expect(await operate(site.core, here.tenantId, listBlocked, {})).toMatchObject([{ id: second }]);
    await operate(site.core, here.tenantId, allowAssistantAgain, { id: second });
    expect(await use("second")).not.toBe(second);
    expect(await live()).toHaveLength(50);
  });

  it.skipIf(name === "the embedded store")(
    "get back nothing that is taken away while a token widens them [completions.11.take-away]",
    async () => {
      const here = await place(site.core);
      const { store } = site.core;
      const caller = (scope: string) => site.caller(here, { scope: `${READ} ${scope}` });
      const { key: connectionId } = await caller("tasks:write");
      const { promise: lifted, resolve: lift } = Promise.withResolvers<void>();
      const { promise: held, resolve: hold } = Promise.withResolvers<void>();
      const lock = store.directory(async (tx) => {
        const own = { tenant_id: here.tenantId, connection_id: connectionId };
        const rows = tx.selectFrom("assistant_connections").where((column) => column.and(own));
        await rows.select("scopes").forUpdate().execute();
        hold();
        await lifted;
      });
      await held;
      const who = await whoIs(here);
      const taking = changePermissions(site.core, {
        who,
        connectionId,
        requestId: "r",
        give: [],
        take: ["tasks:write"],
      });
      await vi.waitFor(async () => expect(await waiting(store)).toBe(1));
      const widening = caller("tasks:write payment_links:write");
      await vi.waitFor(async () => expect(await waiting(store)).toBe(2));
      lift();
      await Promise.all([lock, taking, widening]);
      expect((await caller("tasks:write payment_links:write")).actor.scopes).toEqual([READ, "payment_links:write"]);
    },
  );

  async function whoIs(here: Place) {
    const who = { personId: await site.personOf(here), tenantId: here.tenantId, secondFactor: false };
    expect(await membershipsOf(site.core, who)).toHaveLength(1);
    return who;
  }
});
