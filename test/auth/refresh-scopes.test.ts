import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { readTokens, refresh } from "../support/oauth-client.ts";
import type { ConnectedPerson } from "../support/oauth-person.ts";
import { A_SERVICE } from "../support/thorough.ts";
import { useThreatSite } from "../support/threats/site.ts";

const READ = "receivables:read";
const ALL = `${READ} payment_links:write tasks:write receipts:push`;
const GRANTED = `${READ} payment_links:write tasks:write`;

describe.each(A_SERVICE)("the scopes of a refresh, on %s", (kind) => {
  const site = useThreatSite(kind);

  /** Somebody whose client asked for `asked`, and who granted {@link GRANTED}. */
  const asking = (asked: string) => site.connect({ scope: GRANTED, params: { scope: asked } });
  const renew = ({ client }: ConnectedPerson, refreshToken: string, scope?: string) =>
    refresh(site.origin, client, refreshToken, scope === undefined ? {} : { scope });

  it.each([
    READ,
    `openid ${READ}`,
    `${READ} offline_access`,
    "openid profile email",
    `tasks:write  ${READ}`,
    `${ALL} admin`,
  ])(
    "repeating the request for %j means all that was granted [completions.11.repeated-refresh] [completions.11.unknown-scopes]",
    async (asked) => {
      const person = await asking(asked);
      let { refreshToken } = person;
      // Each way of writing the same list is the same request.
      for (const repeated of [asked, asked.split(" ").reverse().join(" "), `${asked} unheard:of`]) {
        const tokens = await readTokens(await renew(person, refreshToken, repeated));
        expect(tokens.scope, repeated).toBe(GRANTED);
        refreshToken = tokens.refresh_token ?? "";
      }
    },
  );

  it("another, smaller list narrows the token; none widens it [completions.11.smaller-refresh] [facts.oauth.scope-escalation]", async () => {
    const person = await asking(`${READ} tasks:write`);
    for (const [scope, left] of [
      [READ, READ],
      [`openid ${READ}`, READ],
      ["openid offline_access", GRANTED],
      ["payment_links:write", `${READ} payment_links:write`],
    ] as const)
      expect((await readTokens(await renew(person, person.refreshToken, scope))).scope).toBe(left);
    for (const scope of [ALL, `${READ} receipts:push`])
      expect(await (await renew(person, person.refreshToken, scope)).json()).toMatchObject({ error: "invalid_scope" });
    expect((await readTokens(await renew(person, person.refreshToken))).scope).toBe(GRANTED);
  });

  it("a demoted person's tokens carry no write scope, and an admin's again do [completions.2.member-scopes] [completions.1.role-at-call]", async () => {
    const person = await asking(ALL);
    const setRole = (role: "admin" | "member") =>
      operate(site.service.core, person.workspace.id, setMemberRole, { member: { email: person.email }, role });
    await setRole("member");
    const reader = await readTokens(await renew(person, person.refreshToken, ALL));
    expect(reader.scope).toBe(READ);
    // No step-up: there is nothing they could grant.
    const dismissal = { tool: "dismiss_task", arguments: { task_id: randomUUID() } };
    const refused = await site.call(reader.access_token, dismissal);
    expect([refused.status, await refused.text()]).toEqual([200, expect.stringContaining("permission_denied")]);
    await setRole("admin");
    const writer = await readTokens(await renew(person, reader.refresh_token ?? ""));
    expect(writer.scope).toBe(GRANTED);
    expect((await site.call(writer.access_token, dismissal)).status).toBe(200);
  });
});
