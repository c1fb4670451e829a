import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { addMember } from "../../auth/members/add-member.ts";
import { hasCitus } from "../../cluster/citus.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { listWorkspaces } from "../../src/core/workspace/workspaces.ts";
import { tools } from "../../tools/index.ts";
import { callOperation, freshLink, furnish, type Ids, operations } from "../rest/operations.ts";
import { READS } from "../rest/reads.ts";
import { PASSWORD } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { TestClock } from "../support/core.ts";
import { callOverWire } from "../support/mcp-call.ts";
import { type Approved, refresh, signInAndApprove } from "../support/oauth-client.ts";
import { newKey, send } from "../support/rest-app.ts";
import { type RunningService, startService } from "../support/service.ts";
import { type Desk, openDesk } from "../tools/desk.ts";
import { type LoggedCluster, startLoggedCluster } from "./shard-log.ts";

const Called = z.object({ result: z.looseObject({ isError: z.boolean().optional() }) });
const EMAIL = "ada@example.test";

describe.skipIf(!hasCitus())("the statements of a call on workers", () => {
  let logged: LoggedCluster;
  let service: RunningService;
  let desk: Desk;
  let assistant: Approved;
  let key: string;
  let ids: Ids;
  let tenantId: string;

  beforeAll(async () => {
    logged = await startLoggedCluster();
    const { databaseUrl } = logged;
    service = await startService("postgres", { databaseUrl, clock: new TestClock(), works: false });
    const { core } = service;
    desk = await openDesk(core);
    const book = await openBook(core.store);
    ({ tenantId } = book);
    ids = await furnish(core.store, book);
    key = await newKey(core, tenantId);
    await operate(core, desk.caller.tenantId, addMember, { email: EMAIL, role: "admin", password: PASSWORD });
    assistant = await signInAndApprove(service.url, { email: EMAIL, password: PASSWORD });
  });
  afterAll(async () => {
    await service?.close();
    await logged?.stop();
  });

  it.each(operations)("$method $path reaches one shard [scale.one-shard]", async (described) => {
    const own = await freshLink(service.core.store, tenantId, ids);
    const places = await logged.placesOf(async () => {
      const { status, text } = await callOperation(described, { url: service.url, key, ids: own });
      expect(status, text).toBeLessThan(300);
    });
    expect(places.size).toBe(1);
  });

  it.each(READS.flatMap(({ path, args }) => args.map((given) => ({ path, given }))))(
    "GET $path with $given reaches one shard [scale.one-shard]",
    async ({ path, given }) => {
      const named = Object.entries(given).map(([name, value]): [string, string] => [
        name,
        ids[String(value).slice(1, -1)] ?? String(value),
      ]);
      const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => Object.fromEntries(named)[name] ?? "");
      const query = new URLSearchParams(named.filter(([name]) => !path.includes(`{${name}}`)));
      const places = await logged.placesOf(async () => {
        const { status, text } = await send(`${service.url}${filled}?${query}`, { key });
        expect(status, text).toBe(200);
      });
      expect(places.size).toBe(1);
    },
  );

  it.each(tools)("$name reaches one shard [scale.one-shard]", async (tool) => {
    const args = await desk.argumentsOf(tool);
    const places = await logged.placesOf(async () => {
      const answer = await callOverWire(service, assistant.accessToken, { name: tool.name, arguments: args });
      const text = await answer.text;
      expect(Called.parse(JSON.parse(text)).result.isError, text).not.toBe(true);
    });
    expect(places.size).toBe(1);
  });

  it("an assistant's new token reaches one shard [scale.one-shard]", async () => {
    const renew = () => refresh(service.url, assistant.client, assistant.refreshToken);
    expect((await logged.placesOf(async () => expect((await renew()).status).toBe(200))).size).toBe(1);
  });

  it("a look at all workspaces reaches every shard, so that the counts above can fail", async () => {
    expect((await logged.placesOf(() => listWorkspaces(service))).size).toBeGreaterThan(1);
  });
});
