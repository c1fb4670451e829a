import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { type Assistant, approveByForms, callTool, connectAssistant } from "../support/assistant.ts";
import { Browser } from "../support/browser.ts";
import { type DemoCredentials, readDemo, type ServerProcess, startServer } from "../support/server.ts";
import { copyDemo, createDatabase, DEMO_KEY } from "../support/stores.ts";
import { times } from "../support/thorough.ts";

const READ_TOOLS = [
  "get_context",
  "list_invoices",
  "get_invoice",
  "list_erp_connections",
  "list_sync_runs",
  "get_sync_run",
  "list_tasks",
  "list_payment_links",
  "get_payment_link",
  "list_payments",
  "list_payment_integrations",
  "list_workflows",
  "list_workflow_executions",
  "summarize_aging",
  "list_customer_aging",
  "list_installment_aging",
];
const ADMIN_TOOLS = [
  "create_payment_links",
  "deactivate_payment_link",
  "reschedule_payment_link_email",
  "cancel_payment_link_email",
  "dismiss_task",
  "push_held_payments",
];

const Ids = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });
const Totals = z.looseObject({ totals: z.array(z.looseObject({ currency: z.string(), overdue: z.string() })) });

interface Prepared {
  dataDir: string;
  env: Record<string, string>;
  /** What an earlier start of the demo handed out; null where there was none. */
  handedOut: DemoCredentials | null;
  remove(): Promise<void>;
}

/** Each store the service runs on: its settings, and what to remove afterwards. */
const SETTINGS: { name: string; prepare: () => Promise<Prepared> }[] = [
  {
    name: "the embedded store",
    async prepare() {
      const dataDir = await copyDemo();
      return {
        dataDir,
        env: { ENCRYPTION_KEY: DEMO_KEY },
        handedOut: readDemo(dataDir),
        remove: async () => undefined,
      };
    },
  },
  {
    name: "PostgreSQL",
    async prepare() {
      const { databaseUrl, drop } = await createDatabase();
      const key = Buffer.alloc(32, 9).toString("base64");
      return {
        dataDir: mkdtempSync(join(tmpdir(), "receivables-e2e-")),
        env: { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: key, DEMO: "on" },
        handedOut: null,
        remove: drop,
      };
    },
  },
];

// The demo has been told for the first; on PostgreSQL it is told here anew, the long way.
describe.each(SETTINGS.slice(0, inject("postgresUrl") === null ? 1 : times(1, 2)))(
  "an assistant and its person on $name",
  ({ prepare }) => {
    let prepared: Prepared;
    let server: ServerProcess;
    let demo: DemoCredentials;
    let assistant: Assistant;

    beforeAll(async () => {
      prepared = await prepare();
      server = await startServer(prepared.dataDir, prepared.env);
      demo = readDemo(prepared.dataDir);
    });
    afterAll(async () => {
      await assistant?.close();
      expect(await server.stop()).toBe(0);
      await prepared.remove();
      rmSync(prepared.dataDir, { recursive: true, force: true });
    });

    const admin = () => {
      const person = demo.people.find(({ role }) => role === "admin");
      if (person === undefined) throw new Error("the demo has no admin");
      return { email: person.email, password: person.password };
    };

    it("are given what an earlier start handed out, by a file for its owner alone [contract.demo.credentials]", () => {
      expect(statSync(join(prepared.dataDir, "demo.json")).mode & 0o777).toBe(0o600);
      const { people, api_keys } = prepared.handedOut ?? demo;
      expect(demo).toEqual({ base_url: server.url, mcp_url: server.mcpUrl, people, api_keys });
    });

    it("begin with a stranger's 401 and end with a connection [contract.flow]", async () => {
      assistant = await connectAssistant(server.mcpUrl, approveByForms(server.url, admin()));
      expect(assistant.statuses[0]).toBe(401);
      expect(assistant.provider.kept).toMatchObject({ token_type: "Bearer" });
      expect(assistant.provider.kept?.refresh_token).toBeTypeOf("string");
    });

    it("see every tool of an admin, and each that reads answers [contract.flow]", async () => {
      const { client } = assistant;
      const listed = await client.listTools();
      expect(listed.tools.map(({ name }) => name)).toEqual([...READ_TOOLS, ...ADMIN_TOOLS]);
      const invoices = Ids.parse(await callTool(client, "list_invoices", { limit: 3 }));
      const runs = Ids.parse(await callTool(client, "list_sync_runs"));
      const links = Ids.parse(await callTool(client, "list_payment_links"));
      const args: Record<string, Record<string, unknown>> = {
        get_invoice: { invoice_id: invoices.data[0]?.id },
        get_sync_run: { sync_run_id: runs.data[0]?.id },
        get_payment_link: { payment_link_id: links.data[0]?.id },
      };
      for (const name of READ_TOOLS) expect(await callTool(client, name, args[name] ?? {}), name).toBeTypeOf("object");
    });

    it("learn what is overdue, the same from the summary and from every page", async () => {
      const { client } = assistant;
      const { totals } = Totals.parse(await callTool(client, "summarize_aging", { overdue_only: true }));
      const Page = z.looseObject({
        data: z.array(z.looseObject({ currency: z.string(), amount: z.string() })),
        pagination: z.looseObject({ next_cursor: z.string().nullable() }),
      });
      const sums = new Map<string, bigint>();
      let cursor: string | null = null;
      do {
        const args = { overdue_only: true, limit: 100, ...(cursor === null ? {} : { cursor }) };
        const page: z.infer<typeof Page> = Page.parse(await callTool(client, "list_installment_aging", args));
        for (const { currency, amount } of page.data)
          sums.set(currency, (sums.get(currency) ?? 0n) + thousandths(amount));
        cursor = page.pagination.next_cursor;
      } while (cursor !== null);
      expect(totals.length).toBeGreaterThan(1);
      expect(new Map(totals.map(({ currency, overdue }) => [currency, thousandths(overdue)]))).toEqual(sums);
    });

    it("go on after a token that has gone bad: the client refreshes by itself [contract.flow]", async () => {
      const { client, provider, statuses } = assistant;
      const before = provider.kept;
      if (before === undefined) throw new Error("no tokens");
      provider.kept = { ...before, access_token: `${before.access_token.slice(0, -6)}AAAAAA` };
      await callTool(client, "get_context");
      expect(statuses.slice(-2)).toEqual([401, 200]);
      expect(provider.kept?.refresh_token).not.toBe(before.refresh_token);
    });

    it("are parted by one click: the next call is 401, and no refresh helps [contract.flow] [service.1.revocation]", async () => {
      const browser = new Browser(server.url);
      const { email, password } = admin();
      const signIn = await browser.open("/connections");
      const page = await browser.submit(signIn, "Sign in", { email, password });
      expect(page.text).toContain("SDK assistant");
      const after = await browser.submit(page, "Revoke");
      expect(after.status).toBe(200);
      const { client, provider, statuses } = assistant;
      await expect(callTool(client, "get_context")).rejects.toThrow();
      expect(statuses.at(-1)).toBe(401);
      const refreshed = await fetch(`${server.url}/oauth/token`, {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "refresh_token",
          refresh_token: provider.kept?.refresh_token ?? "",
          client_id: provider.client?.client_id ?? "",
        }),
      });
      expect(await refreshed.json()).toMatchObject({ error: "invalid_grant" });
    });

    it("log no secret [contract.logs]", () => {
      const log = server.stderr() + server.stdout();
      const secrets = [
        ...demo.people.map(({ password }) => password),
        ...demo.api_keys.map(({ key }) => key),
        assistant.provider.kept?.access_token ?? "",
        assistant.provider.kept?.refresh_token ?? "",
      ];
      expect(secrets.filter((secret) => secret.length < 10)).toEqual([]);
      expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
      const lines = server.stderr().trim().split("\n");
      expect(lines.every((line) => z.looseObject({ level: z.number() }).safeParse(JSON.parse(line)).success)).toBe(
        true,
      );
      expect(lines.some((line) => line.includes('"request_id"'))).toBe(true);
    });
  },
);

/** An amount in thousandths, exactly: no demo currency has more digits. */
function thousandths(amount: string): bigint {
  const [whole = "0", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(3, "0"));
}
