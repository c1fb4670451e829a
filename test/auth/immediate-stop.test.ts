import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeMember } from "../../auth/members/remove-member.ts";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import { revokeAssistants } from "../../auth/revoke-assistants.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { setWorkspace } from "../../src/core/workspace/operations/set-workspace.ts";
import { createStripeSimulator } from "../../src/simulators/stripe/index.ts";
import { Browser } from "../support/browser.ts";
import { type HeldProvider, heldProvider } from "../support/held-provider.ts";
import { waiting } from "../support/locks.ts";
import { callOverWire } from "../support/mcp-call.ts";
import { type RunningService, startService } from "../support/service.ts";
import { KINDS } from "../support/stores.ts";
import { times } from "../support/thorough.ts";
import { NOTHING_DONE, type WorkingAssistant, workingAssistant } from "../support/working-assistant.ts";

/** What stops an assistant, done at a process of the service; and what its next read and write are answered there. */
const STOPS: readonly {
  name: string;
  stop(at: RunningService, scene: WorkingAssistant): Promise<unknown>;
  read: { status: number; says: RegExp };
  write: { status: number; says: RegExp };
}[] = [
  {
    name: "revocation",
    async stop({ url, via }, { assistant }) {
      const browser = new Browser(url, { via });
      browser.setCookie("session", assistant.browser.cookie("session") ?? "");
      await browser.submit(await browser.open("/connections"), "Revoke");
    },
    read: { status: 401, says: /revoked_credentials/ },
    write: { status: 401, says: /revoked_credentials/ },
  },
  {
    name: "removal of the member",
    stop: ({ core }, { tenantId, email }) => operate(core, tenantId, removeMember, { member: { email } }),
    read: { status: 401, says: /revoked_credentials/ },
    write: { status: 401, says: /revoked_credentials/ },
  },
  {
    name: "an operator who revokes all assistants",
    stop: ({ core }, { tenantId }) => operate(core, tenantId, revokeAssistants, { all: true }),
    read: { status: 401, says: /revoked_credentials/ },
    write: { status: 401, says: /revoked_credentials/ },
  },
  {
    name: "demotion",
    stop: ({ core }, { tenantId, email }) =>
      operate(core, tenantId, setMemberRole, { member: { email }, role: "member" }),
    read: { status: 200, says: /"role\\?":\\?"member/ },
    write: { status: 200, says: /"isError":true.*permission_denied|permission_denied.*"isError":true/ },
  },
  {
    name: "loss of the plan's assistants",
    stop: ({ core }, { tenantId }) => operate(core, tenantId, setWorkspace, { assistant_access: false }),
    read: { status: 403, says: /feature_unavailable/ },
    write: { status: 403, says: /feature_unavailable/ },
  },
  {
    name: "a workspace that lets assistants only read",
    stop: ({ core }, { tenantId }) => operate(core, tenantId, setWorkspace, { assistants: "read" }),
    read: { status: 200, says: /"scopes\\?":\[\\?"receivables:read\\?"\]/ },
    write: { status: 200, says: /"isError":true.*permission_denied|permission_denied.*"isError":true/ },
  },
  {
    name: "permissions that were taken away",
    async stop({ url, via }, { assistant }) {
      const browser = new Browser(url, { via });
      browser.setCookie("session", assistant.browser.cookie("session") ?? "");
      const page = await browser.open("/connections");
      const { action, fields } = page.formWith("Remove");
      for (const scope of ["payment_links:write", "tasks:write", "receipts:push"])
        await browser.post(action, new URLSearchParams({ ...fields, scope }));
    },
    read: { status: 200, says: /"scopes\\?":\[\\?"receivables:read\\?"\]/ },
    write: { status: 403, says: /needs the scope payment_links:write/ },
  },
];

describe.each(KINDS)("what stops an assistant at once, %s", (kind) => {
  // With one process and one connection, all stops take the same way.
  const stops = kind === "embedded" ? STOPS.slice(0, times(2, STOPS.length)) : STOPS;
  const stripe = createStripeSimulator({ secretKey: "sk_test_1" });
  let provider: HeldProvider;
  let one: RunningService;
  let other: RunningService;
  let processes: RunningService[];

  beforeAll(async () => {
    await stripe.listen();
    provider = await heldProvider(stripe.url);
    one = await startService(kind);
    other = kind === "postgres" ? await startService(kind, { beside: one }) : one;
    processes = [...new Set([one, other])];
  });
  afterAll(async () => {
    provider?.release();
    if (other !== one) await other?.close();
    await one?.close();
    await provider?.close();
    await stripe.close();
  });

  const scene = (): Promise<WorkingAssistant> => workingAssistant(one, provider);

  it.each(stops)(
    "$name: the next request at every process [service.1.immediate-stop]",
    async ({ stop, read, write }) => {
      const working = await scene();
      const { accessToken } = working.assistant;
      const calls = {
        read: { name: "get_context" },
        write: { name: "create_payment_links", arguments: working.links(1) },
      };
      for (const at of processes) expect((await callOverWire(at, accessToken, calls.read)).status).toBe(200);
      await stop(other, working);
      for (const at of processes) {
        const answers = [
          await callOverWire(at, accessToken, calls.read),
          await callOverWire(at, accessToken, calls.write),
        ];
        expect(answers.map(({ status }) => status)).toEqual([read.status, write.status]);
        expect(await answers[0]?.text).toMatch(read.says);
        expect(await answers[1]?.text).toMatch(write.says);
      }
      expect(await working.done()).toEqual(NOTHING_DONE);
    },
  );

  it.each(stops)("$name: an open stream, and writes at their provider [service.1.immediate-stop]", async ({ stop }) => {
    const working = await scene();
    const { accessToken } = working.assistant;
    provider.hold(1);
    const streaming = await callOverWire(one, accessToken, {
      name: "create_payment_links",
      arguments: working.links(2),
      progress: true,
    });
    expect(streaming.headers["content-type"]).toBe("text/event-stream");
    const waiting = callOverWire(one, accessToken, { name: "create_payment_links", arguments: working.links(1) });
    await expect.poll(() => provider.waiting).toBe(2);

    await stop(other, working);
    const streamed = await streaming.text;
    expect(streamed).toContain("notifications/progress");
    expect(streamed).not.toContain('"result"');
    const refused = await waiting;
    expect(refused.status).toBe(401);
    expect(refused.headers["www-authenticate"]).toContain('error="invalid_token"');
    expect(await refused.text).toContain("what it may do has changed");

    provider.release();
    await expect.poll(() => working.done()).toEqual(NOTHING_DONE);
  });

  // On the embedded store a transaction has the one connection to itself: nothing that would stop it begins before it ends.
  if (kind === "postgres")
    it.each(stops)("$name: a write in its transaction rolls back [facts.oauth.revoke-in-flight]", async ({ stop }) => {
      const working = await scene();
      const holder = new pg.Client({ connectionString: one.databaseUrl ?? "" });
      await holder.connect();
      await holder.query("begin");
      await holder.query("select from tasks where tenant_id = $1 and task_id = $2 for update", [
        working.tenantId,
        working.taskId,
      ]);
      const writing = callOverWire(one, working.assistant.accessToken, {
        name: "dismiss_task",
        arguments: { task_id: working.taskId },
      });
      await expect.poll(() => waiting(one.core.store)).toBeGreaterThan(0);
      const stopped = stop(other, working);
      expect((await writing).status).toBe(401);
      await holder.query("rollback");
      await holder.end();
      await stopped;
      expect(await working.done()).toEqual(NOTHING_DONE);
    });

  if (kind === "postgres")
    it("a process that no notice reached ends what is under way once it hears again [service.1.immediate-stop]", async () => {
      const working = await scene();
      provider.hold(0);
      const waiting = callOverWire(one, working.assistant.accessToken, {
        name: "create_payment_links",
        arguments: working.links(1),
      });
      await expect.poll(() => provider.waiting).toBe(1);
      const server = new pg.Client({ connectionString: one.databaseUrl ?? "" });
      await server.connect();
      await server.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'",
      );
      await STOPS[1]?.stop(other, working);
      expect((await waiting).status).toBe(401);
      await server.end();
      provider.release();
      await expect.poll(() => working.done()).toEqual(NOTHING_DONE);
    });
});
