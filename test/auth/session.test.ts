import { auth, extractWWWAuthenticateParams, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { rotateSigningKey } from "../../auth/signing-keys.ts";
import { housekeep } from "../../src/jobs/housekeeping.ts";
import { approveByForms, callTool, connectAssistant, TestOAuthProvider } from "../support/assistant.ts";
import { openBook } from "../support/book.ts";
import { Browser } from "../support/browser.ts";
import { TestClock } from "../support/core.ts";
import { askMcp } from "../support/oauth-client.ts";
import { PASSWORD, peopleOf } from "../support/people.ts";
import { taskRow } from "../support/rows.ts";
import { type RunningService, startService } from "../support/service.ts";
import { addRows } from "../support/stored.ts";
import { A_KIND } from "../support/stores.ts";

const MINUTE_MS = 60_000;
const READ = "receivables:read";
const Told = z.looseObject({ connection: z.looseObject({ id: z.string(), scopes: z.array(z.string()) }) });

describe("an assistant and its person", () => {
  const clock = new TestClock(new Date().toISOString());
  let service: RunningService;
  beforeAll(async () => {
    service = await startService(A_KIND, { clock, jobs: { lookEveryMs: 60_000 } });
  });
  afterAll(() => service.close());

  async function newcomer() {
    const people = peopleOf(service.core);
    const { email } = await people.addPerson((await people.addWorkspace()).id);
    return { email, password: PASSWORD };
  }

  it("work for eight hours: tokens expire and are refreshed, keys rotate, nobody is asked again [facts.oauth.long-session]", async () => {
    const assistant = await connectAssistant(service.mcpUrl, approveByForms(service.url, await newcomer()));
    const { provider, statuses } = assistant;
    provider.authorizationUrl = undefined;
    const tokens = new Set<string>();
    const kids = new Set<string | undefined>();
    for (let minutes = 0; minutes < 8 * 60; minutes += 11) {
      if (minutes === 22 * 11) await rotateSigningKey(service);
      if (minutes % 6 === 0) await housekeep(service.core);
      clock.advance(11 * MINUTE_MS);
      await callTool(assistant.client, "get_context");
      const token = provider.kept?.access_token ?? "";
      tokens.add(token);
      kids.add(decodeProtectedHeader(token).kid);
    }
    expect(provider.authorizationUrl).toBeUndefined();
    expect(tokens.size).toBe(44);
    expect(kids.size).toBe(2);
    expect(new Set(statuses)).toEqual(new Set([200, 202, 401, 405]));
    await assistant.close();
  });

  /** A client that was let read, and a task it would dismiss. */
  async function reader(refreshes: boolean) {
    const people = peopleOf(service.core);
    const book = await openBook(service.core.store);
    const { email } = await people.addPerson(book.tenantId);
    const { invoice } = await book.invoice();
    const task = taskRow(book.tenantId, invoice.invoice_id);
    await addRows(service.core.store, book.tenantId, { tasks: task });
    const browser = new Browser(service.url);
    // As the page is: at first nothing is ticked, at a step-up what was asked for.
    const approve = approveByForms(service.url, { email, password: PASSWORD, ticks: "" }, browser);
    const assistant = await connectAssistant(service.mcpUrl, approve, new TestOAuthProvider("Reader", { refreshes }));
    const context = async (client: Client) => Told.parse(await callTool(client, "get_context")).connection;
    return { assistant, task, context, approve, dismiss: { task_id: task.task_id } };
  }

  it("step up: refused for want of a scope, the official client asks for it, and the same connection has it [facts.oauth.step-up] [completions.2.step-up]", async () => {
    const { assistant, context, approve, dismiss } = await reader(false);
    const before = await context(assistant.client);
    expect(before.scopes).toEqual([READ]);
    await expect(callTool(assistant.client, "dismiss_task", dismiss)).rejects.toThrow(UnauthorizedError);
    expect(assistant.provider.authorizationUrl?.searchParams.get("scope")).toBe(`${READ} tasks:write`);

    const transport = new StreamableHTTPClientTransport(new URL(service.mcpUrl), { authProvider: assistant.provider });
    await transport.finishAuth(await approve(assistant.provider.authorizationUrl ?? new URL("about:blank")));
    expect(await callTool(assistant.client, "dismiss_task", dismiss)).toEqual({ ok: true });
    expect(await context(assistant.client)).toMatchObject({ id: before.id, scopes: [READ, "tasks:write"] });
    await assistant.close();
  });

  it("step up with a refresh token too, which does not widen: the client asks once it has let go of it [facts.oauth.step-up]", async () => {
    const { assistant, context, approve, dismiss } = await reader(true);
    const { provider } = assistant;
    const before = await context(assistant.client);
    provider.authorizationUrl = undefined;
    await expect(callTool(assistant.client, "dismiss_task", dismiss)).rejects.toThrow("403 after trying upscoping");
    expect(provider.authorizationUrl).toBeUndefined();

    const call = { name: "dismiss_task", arguments: dismiss };
    const refused = await askMcp(service.mcpUrl, provider.kept?.access_token ?? "", "tools/call", call);
    const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(refused);
    if (scope === undefined || resourceMetadataUrl === undefined) throw new Error("not told what to ask for");
    provider.kept = undefined;
    const again = { serverUrl: service.mcpUrl, scope, resourceMetadataUrl };
    expect(await auth(provider, again)).toBe("REDIRECT");
    const authorizationCode = await approve(provider.authorizationUrl ?? new URL("about:blank"));
    expect(await auth(provider, { ...again, authorizationCode })).toBe("AUTHORIZED");
    expect(await callTool(assistant.client, "dismiss_task", dismiss)).toEqual({ ok: true });
    expect(await context(assistant.client)).toMatchObject({ id: before.id, scopes: [READ, "tasks:write"] });
    await assistant.close();
  });
});
