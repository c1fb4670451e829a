import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { endConnection } from "../../auth/connections.ts";
import { removeMember } from "../../auth/members/remove-member.ts";
import { selectPersonByEmail } from "../../auth/session-queries.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { setAttempts } from "../support/attempts.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { everyRow } from "../support/every-row.ts";
import { refresh } from "../support/oauth-client.ts";
import { connectPerson } from "../support/oauth-person.ts";
import { A_STORE } from "../support/thorough.ts";
import { signedIn } from "../support/threats/requests.ts";

const HOUR_MS = 3_600_000;

describe.each(A_STORE)("the audit trail of sign-ins and approvals on $name", ({ open }) => {
  const site = useAuthApp(open, { trustProxy: true });

  const trail = (workspaceId: string, operation: string) => site.app.trail(workspaceId, operation);
  const personOf = async (email: string): Promise<string> => {
    const person = await site.app.core.store.directory((tx) => selectPersonByEmail(tx, email));
    return person?.person_id ?? "";
  };
  const from = (address: string): Browser =>
    Object.assign(new Browser(site.app.origin), { headers: { "x-forwarded-for": address } });

  it("says who signed in, how, from where, in each of their workspaces [completions.11.sign-in-trail]", async () => {
    const [first, second] = [await site.app.addWorkspace(), await site.app.addWorkspace()];
    const { email, memberId } = await site.app.addPerson(first.id);
    await site.app.addPerson(second.id, { email, role: "member" });
    const left = await site.app.addWorkspace();
    await site.app.addPerson(left.id, { email });
    await operate(site.app.core, left.id, removeMember, { member: { email } });
    await signedIn(from("203.0.113.7"), email);
    const entry = {
      actor_kind: "person",
      object_type: "member",
      outcome: "succeeded",
      details: { how: "password", address: "203.0.113.7" },
    };
    expect(await trail(first.id, "signIn")).toMatchObject([{ ...entry, actor_id: memberId, object_id: memberId }]);
    expect(await trail(second.id, "signIn")).toMatchObject([entry]);
    expect(await trail(left.id, "signIn")).toEqual([]);
  });

  it("tells of wrong passwords on an account, by nobody, and shows it to its admins [completions.11.sign-in-trail]", async () => {
    const workspace = await site.app.addWorkspace();
    const { email, memberId } = await site.app.addPerson(workspace.id);
    await signedIn(from("198.51.100.4"), ` ${email.toUpperCase()}`, "a guess");
    await expect
      .poll(() => trail(workspace.id, "signIn"))
      .toMatchObject([
        {
          actor_kind: "system",
          actor_id: null,
          actor_name: "sign_in",
          object_type: "member",
          object_id: memberId,
          outcome: "refused",
          details: { how: "password", address: "198.51.100.4", account: email },
        },
      ]);
    const browser = from("203.0.113.7");
    await signedIn(browser, email);
    const page = await browser.open("/audit");
    expect(page.text).toContain(`Sign in How: password Address: 198.51.100.4 Account: ${email}`);
    expect(page.text).toContain("Sign in How: password Address: 203.0.113.7");
    expect(page.html).not.toContain("a guess");
  });

  it("sign-ins of a person are entries up to 60 in ten minutes, and refused beyond [completions.11.sign-in-bound]", async () => {
    const workspace = await site.app.addWorkspace();
    const [{ email, memberId }, other] = [
      await site.app.addPerson(workspace.id),
      await site.app.addPerson(workspace.id),
    ];
    const personId = await personOf(email);
    await setAttempts(site.app.core, `sign-ins:${personId} null`, 600, 59);
    const browser = from("203.0.113.7");
    expect((await signedIn(browser, email)).status).toBe(200);
    const refused = await signedIn(from("198.51.100.8"), email);
    expect([refused.status, refused.text]).toEqual([429, expect.stringMatching(/Too many attempts\. Try again in /)]);
    expect((await browser.open("/security")).url.pathname).toBe("/security");
    expect((await signedIn(from("203.0.113.7"), other.email)).status).toBe(200);
    const entries = await trail(workspace.id, "signIn");
    expect(entries.filter((entry) => entry.actor_id === memberId)).toHaveLength(1);
    site.clock.advance(600_000);
    expect((await signedIn(from("198.51.100.8"), email)).status).toBe(200);
  });

  it("keeps at most ten failures an account and hour, from however many addresses; the next hour begins anew [completions.11.sign-in-bound]", async () => {
    const workspace = await site.app.addWorkspace();
    const { email } = await site.app.addPerson(workspace.id);
    site.clock.advance(HOUR_MS - (site.clock.now().getTime() % HOUR_MS));
    for (let host = 1; host <= 14; host += 1) await signedIn(from(`198.51.100.${host}`), email, "a guess");
    await expect.poll(() => trail(workspace.id, "signIn")).toHaveLength(10);
    const entries = await trail(workspace.id, "signIn");
    expect(entries.filter(({ details }) => details?.note !== undefined)).toMatchObject([
      { details: { note: expect.stringMatching(/^further ones until \d\d:00 UTC are only logged$/) } },
    ]);
    site.clock.advance(HOUR_MS);
    await signedIn(from("198.51.100.1"), email, "a guess");
    await expect.poll(() => trail(workspace.id, "signIn")).toHaveLength(11);
  });

  it("keeps nothing of emails that nobody has but a count [completions.11.sign-in-bound]", async () => {
    const count = () =>
      everyRow(site.app.core.store, (tx) =>
        tx
          .selectFrom("audit_entries")
          .select(({ fn }) => fn.countAll<number>().as("all"))
          .executeTakeFirstOrThrow(),
      );
    const before = await count();
    await signedIn(from("198.51.100.200"), `${randomUUID()}@example.com`, "a guess");
    expect(await count()).toEqual(before);
  });

  it("tells by whom an approval was ended: its person, an operator, or the service itself [completions.11.approval-trail]", async () => {
    const { core } = site.app;
    const [person, robbed, gone] = [
      await connectPerson(site.app),
      await connectPerson(site.app),
      await connectPerson(site.app),
    ];
    await person.browser.submit(await person.browser.open("/connections"), "Revoke");
    expect(await trail(person.workspace.id, "revokeAssistantConnection")).toMatchObject([
      { actor_kind: "person", actor_id: person.memberId, object_id: person.connectionId },
    ]);
    await refresh(site.app.origin, robbed.client, robbed.refreshToken);
    site.clock.advance(31_000);
    await refresh(site.app.origin, robbed.client, robbed.refreshToken);
    expect(await trail(robbed.workspace.id, "revokeAssistantConnection")).toMatchObject([
      { actor_kind: "system", actor_name: "authorization_server", object_id: robbed.connectionId },
    ]);
    await operate(core, gone.workspace.id, removeMember, { member: { email: gone.email } });
    expect(await trail(gone.workspace.id, "revokeAssistantConnection")).toMatchObject([
      { actor_kind: "operator", object_id: gone.connectionId },
    ]);
    await endConnection(core, gone.connectionId);
    expect(await trail(gone.workspace.id, "revokeAssistantConnection")).toHaveLength(1);
  });

  it("wrong passwords of many hosts of one IPv6 network are limited, another network's are not [completions.11.sign-in-bound]", async () => {
    const guess = async (address: string) =>
      (await signedIn(from(address), `${randomUUID()}@example.com`, "a guess")).status;
    await setAttempts(site.app.core, "sign-in-network:address:2001:db8:77::/48", 300, 999);
    expect(await guess("2001:db8:77:1::5")).toBe(400);
    expect(await guess("2001:db8:77:2::5")).toBe(429);
    expect(await guess("2001:db8:78:2::5")).toBe(400);
  });
});
