import { type RawBuilder, sql } from "kysely";
import { describe, expect, it } from "vitest";
import { READ_SCOPE } from "../../auth/grantable-scopes.ts";
import { SCOPES } from "../../src/core/gate/actor.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { multiply } from "../support/multiply.ts";
import {
  authorizationUrl,
  callerOf,
  callMcp,
  openConsent,
  pkce,
  redeem,
  refresh,
  signInAndApprove,
} from "../support/oauth-client.ts";
import { type ConnectedPerson, connectPerson } from "../support/oauth-person.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("many connections on $name", ({ open }) => {
  const site = useAuthApp(open);

  /** Older connections like a person's. */
  const copies = ({ connectionId, workspace }: ConnectedPerson, count: number, revoked: RawBuilder<unknown>) =>
    site.app.core.store.write(workspace.id, (tx) =>
      multiply(tx, "assistant_connections", {
        which: sql`one.connection_id = ${connectionId}`,
        count,
        changes: sql`jsonb_build_object('connection_id', md5(n::text || ${count}::text)::uuid, 'revoked_at', ${revoked},
          'created_at', one.created_at - n * interval '1 hour')`,
      }),
    );

  it("of a member 50 are live at most, and all of these are listed with the latest 50 others [contract.pages.connections]", async () => {
    const { app } = site;
    const person = await connectPerson(app);
    await copies(person, 49, sql`null`);
    await copies(person, 60, sql`one.created_at - n * interval '1 minute'`);
    const browser = await app.signedIn(person.email);
    const page = await browser.open("/connections");
    expect([...page.html.matchAll(/>Revoke<\/button>/g)]).toHaveLength(50);
    expect([...page.html.matchAll(/Revoked <time/g)]).toHaveLength(50);
    expect(page.text).toContain("Of those that ended the latest 50 are shown; the audit trail has all.");
    const approve = (email: string) => signInAndApprove(app.origin, { email, password: PASSWORD });
    const url = authorizationUrl(app.origin, person.client, pkce().challenge);
    const full = await browser.submit(await browser.open(url), "Allow");
    expect([full.status, full.text]).toEqual([409, expect.stringContaining("You have 50 assistant connections")]);
    for (const way of ["/connections", full.url.pathname.replace("/decision", "")])
      expect(full.html).toContain(`<a href="${way}">`);
    expect((await approve((await app.addPerson(person.workspace.id)).email)).accessToken).toBeTruthy();
    await browser.submit(page, "Revoke");
    const back = await browser.open(full.url.pathname.replace("/decision", ""));
    expect((await browser.submit(back, "Allow")).left?.searchParams.get("code")).toBeTruthy();
  });

  it("are made of one client on two devices that ask for all they know of: neither ends the other's tokens [facts.oauth.step-up]", async () => {
    const { origin } = site.app;
    const { email, client, refreshToken, connectionId } = await connectPerson(site.app, { scope: READ_SCOPE });
    const { verifier, challenge } = pkce();
    const url = authorizationUrl(origin, client, challenge, { scope: SCOPES.join(" ") });
    const other = new Browser(origin);
    const asked = await openConsent(origin, { email, password: PASSWORD, browser: other }, url);
    const { left } = await other.submit(asked, "Allow");
    const second = await redeem(origin, client, { code: left?.searchParams.get("code") ?? "", verifier });
    for (const token of [refreshToken, second.refresh_token ?? ""])
      expect((await refresh(origin, client, token)).status).toBe(200);
    expect((await callerOf(await callMcp(origin, second.access_token))).key).not.toBe(connectionId);
  });

  it("are 200 to choose from in the audit trail, the newest, with the one asked for [completions.1.audit.filters]", async () => {
    const person = await connectPerson(site.app);
    await copies(person, 300, sql`null`);
    const browser = await site.app.signedIn(person.email);
    const choices = async (query = "") => {
      const { html } = await browser.open(`/audit${query}`);
      const [, options = ""] = /<select[^>]*name="connection"[^>]*>([\s\S]*?)<\/select>/.exec(html) ?? [];
      return [...options.matchAll(/value="([0-9a-f-]{36})"( selected)?/g)].map(([, id, isChosen]) => [id, isChosen]);
    };
    const [newest] = await choices();
    expect(newest).toEqual([person.connectionId, undefined]);
    expect(await choices()).toHaveLength(200);
    const { rows } = await site.app.core.store.read(person.workspace.id, (tx) =>
      sql<{ id: string }>`select connection_id as id from assistant_connections where tenant_id = ${person.workspace.id}
        order by created_at limit 1`.execute(tx),
    );
    const asked = await choices(`?connection=${rows[0]?.id}`);
    expect([asked.length, asked.filter(([, isChosen]) => isChosen !== undefined)]).toEqual([
      200,
      [[rows[0]?.id, " selected"]],
    ]);
  });
});
