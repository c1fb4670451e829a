import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseApiKey } from "../../auth/api-keys/api-key.ts";
import { verifyPassword } from "../../auth/passwords.ts";
import { BUCKETS } from "../../src/core/aging/buckets.ts";
import { listAgingInstallments } from "../../src/core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../src/core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../src/core/aging/operations/summarize-aging.ts";
import { type AuditEntry, readAuditTrail } from "../../src/core/audit-trail/read-audit-trail.ts";
import { ErpConnectionStatus } from "../../src/core/erp-access/connection-status.ts";
import type { ApiKeyActor } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { listInvoices } from "../../src/core/invoices/operations/list-invoices.ts";
import { CollectionStatus, ErpPushState, NotCollectibleReason } from "../../src/core/invoices/schema.ts";
import { minorDigits } from "../../src/core/kernel/currencies.ts";
import { TaskState } from "../../src/core/tasks/schema.ts";
import { listWorkspaces } from "../../src/core/workspace/workspaces.ts";
import type { DemoErp } from "../../src/demo/erp.ts";
import { outboxMailer } from "../../src/gateways/mail/index.ts";
import { createJobs } from "../../src/jobs/schedule.ts";
import { rowsOf, setRows } from "../support/stored.ts";
import { everyRow } from "../support/stores.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";
import {
  expectIntegrations,
  expectLinksOfEveryKind,
  expectNothingLeft,
  expectReceiptsOfEveryKind,
  expectWorkflows,
  readEveryList,
} from "./collecting.ts";
import { expectCompany } from "./companies.ts";
import { ADDRESSES, type Credentials, fromNoon, readCredentials, startDemo } from "./support.ts";

const ODD = "Odd Cases";
const WORKSPACES = ["Alpenglow Foods", "Northwind Trading", ODD];
const secretsSeen: string[][] = [];

describe.each(A_STORE)("the demo on $name", ({ open }) => {
  const opened = useStore(open);
  let dataDir: string;
  let core: Core;
  let erp: DemoErp;
  let credentials: Credentials;
  let tenants: Map<string, string>;
  const clock = fromNoon();
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "receivables-demo-"));
    ({ core, erp } = await startDemo(opened.store, dataDir, { clock }));
    credentials = readCredentials(dataDir);
    tenants = new Map((await listWorkspaces({ core })).map(({ name, id }) => [name, id]));
  });
  afterAll(async () => {
    await erp.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const actorOf = (workspace: string): ApiKeyActor => {
    const tenantId = tenants.get(workspace) ?? "";
    return { kind: "api_key", tenantId, keyId: tenantId, permission: "readonly" };
  };
  const request = () => ({ core, requestId: "test" });
  /** Every entry of a workspace's audit trail, newest first. */
  const wholeTrail = async (tenantId: string, cursor: string | null = null): Promise<AuditEntry[]> => {
    const { entries, older } = await operate(core, tenantId, readAuditTrail, { cursor });
    return older === null ? [...entries] : [...entries, ...(await wholeTrail(tenantId, older))];
  };
  /** Distinct values of a column over all workspaces. */
  const values = async (text: string): Promise<Set<unknown>> => {
    const { rows } = await everyRow(core.store, (tx) => sql.raw<{ value: unknown }>(text).execute(tx));
    return new Set(rows.map(({ value }) => value));
  };
  const list = (workspace: string, filters: object) =>
    listInvoices.call(actorOf(workspace), { include_total: true, limit: 100, ...filters }, request());

  it("writes its credentials for the owner alone, in the contract's shape [contract.demo.credentials]", () => {
    expect(statSync(join(dataDir, "demo.json")).mode & 0o777).toBe(0o600);
    expect(Object.keys(credentials)).toEqual(["base_url", "mcp_url", "people", "api_keys"]);
    expect(credentials).toMatchObject({ base_url: ADDRESSES.baseUrl, mcp_url: ADDRESSES.mcpUrl });
    for (const person of credentials.people) {
      expect(Object.keys(person)).toEqual(["email", "password", "workspace", "role"]);
      expect(person.password.length).toBeGreaterThanOrEqual(12);
    }
    for (const key of credentials.api_keys)
      expect(Object.keys(key)).toEqual(["workspace", "name", "permission", "key"]);
  });

  it("has an admin, a member and both kinds of key in each workspace [contract.demo.cast]", async () => {
    const workspaces = await listWorkspaces({ core });
    expect(workspaces.map(({ name }) => name)).toEqual(WORKSPACES);
    expect(new Set(workspaces.map(({ timezone }) => timezone)).size).toBe(3);
    for (const name of WORKSPACES) {
      const roles = credentials.people.filter(({ workspace }) => workspace === name).map(({ role }) => role);
      expect(new Set(roles)).toEqual(new Set(["admin", "member"]));
      const permissions = credentials.api_keys.filter(({ workspace }) => workspace === name);
      expect(permissions.map(({ permission }) => permission).sort()).toEqual(["admin", "readonly"]);
    }
    const places = Map.groupBy(credentials.people, ({ email }) => email);
    const inBoth = [...places.values()].filter((one) => one.length === 2);
    expect(inBoth).toHaveLength(1);
    expect(new Set(inBoth[0]?.map(({ password }) => password)).size).toBe(1);
  });

  it("hands out credentials that work [contract.demo.credentials]", async () => {
    const people = await rowsOf(core.store, null, "people");
    const [first] = credentials.people;
    const stored = people.find(({ email }) => email === first?.email);
    expect(await verifyPassword(first?.password ?? "", stored?.password_hash ?? null)).toBe(true);
    const keys = await everyRow(core.store, (tx) =>
      tx.selectFrom("api_keys").selectAll().where("revoked_at", "is", null).execute(),
    );
    expect(keys).toHaveLength(6);
    expect(new Set(keys.map((row) => row.key_hash))).toEqual(
      new Set(credentials.api_keys.map(({ key }) => parseApiKey(key)?.keyHash)),
    );
  });

  const OF_ODD = `join tenants using (tenant_id) where tenants.name = '${ODD}'`;
  it.each<[column: string, of: string, expected: readonly unknown[]]>([
    ["collection_status", `invoices ${OF_ODD}`, CollectionStatus.options],
    ["erp_push_state", `invoices ${OF_ODD}`, [null, ...ErpPushState.options]],
    ["has_held_payment", "invoices join tenants using (tenant_id) where tenants.name like 'Alpen%'", [true, false]],
    ["not_collectible_reason", `installments ${OF_ODD}`, [null, ...NotCollectibleReason.options]],
    ["state", `tasks ${OF_ODD}`, TaskState.options],
    ["erp_push_status", "payments", [null, "held", ...ErpPushState.options]],
    ["origin", "invoices", ["local", "erp"]],
    ["status", "erp_connections", ErpConnectionStatus.options],
    ["status", "sync_runs", ["succeeded", "failed"]],
    ["trigger", "sync_runs", ["manual", "scheduled"]],
    ["error_code", "sync_runs", [null, "authentication_failed", "erp_unreachable", "erp_rejected", "interrupted"]],
    ["invoices_read > 0", "sync_runs where error_code = 'interrupted'", [true]],
    ["enabled", "workflows", [true, false]],
    ["revoked_at is null", "assistant_connections", [false]],
  ])("shows each %s of %s [contract.demo.coverage]", async (column, of, expected) => {
    expect(await values(`select distinct ${column} as value from ${of}`)).toEqual(new Set(expected));
  });

  it("shows links, payments, receipts, workflows and integrations in every state, and no work undone [contract.demo.coverage]", async () => {
    for (const expectAll of [expectLinksOfEveryKind, expectReceiptsOfEveryKind, expectWorkflows, expectIntegrations])
      await expectAll(core, actorOf(ODD));
    for (const actor of WORKSPACES.map(actorOf)) await readEveryList(core, actor);
    for (const actor of WORKSPACES.map(actorOf)) await expectNothingLeft(core, actor.tenantId);
  });

  it("tells who did what: people, an assistant that has left, a key that was replaced [contract.demo.cast]", async () => {
    for (const workspace of WORKSPACES) {
      const entries = await wholeTrail(actorOf(workspace).tenantId);
      const kinds = entries.map(({ actorKind, clientName }) => `${actorKind} ${clientName ?? ""}`.trim());
      expect(new Set(kinds)).toEqual(
        new Set(["operator", "person", "assistant Ledger Assistant", "api_key", "provider", "system"]),
      );
      const times = entries.map(({ at }) => at);
      expect(times).toEqual([...times].sort().reverse());
    }
  });

  it("ages debt in every bucket and in currencies of 0, 2 and 3 digits [contract.demo.coverage]", async () => {
    const { totals, currencies } = await summarizeAging.call(actorOf(ODD), {}, request());
    for (const bucket of BUCKETS) expect(totals.some((total) => Number(total[bucket]) > 0)).toBe(true);
    const digits = currencies.map((currency) => minorDigits(currency));
    expect(new Set(digits)).toEqual(new Set([undefined, 0, 2, 3]));
    const open = await values(
      `select distinct currency as value from invoices where collection_status = 'open' and tenant_id = '${tenants.get(ODD)}'`,
    );
    expect(open.size).toBeGreaterThanOrEqual(4);
  });

  it("has unassigned and invoice-only rows [contract.demo.names]", async () => {
    const customers = await listCustomerAging.call(actorOf(ODD), { search: "unassigned" }, request());
    expect(customers.data).toEqual([]);
    const rows = await everyInstallment(ODD);
    expect(rows.filter(({ customer_key: key }) => key.startsWith("unassigned:")).length).toBeGreaterThanOrEqual(3);
    // Only invoices of the service's own have no customer; the ERP's that name none share one.
    const erpWithout = `select count(*) as value from invoices
      where origin = 'erp' and customer_id is null and tenant_id = '${tenants.get(ODD)}'`;
    expect([...(await values(erpWithout))].map(Number)).toEqual([0]);
    const ofNobody = rows.filter(({ customer_id: id, customer_name: name }) => id !== null && name === "Unassigned");
    expect(ofNobody.length).toBeGreaterThan(0);
    expect(rows.filter(({ installment_id: id }) => id === null).length).toBeGreaterThanOrEqual(1);
    expect(rows.some(({ collectible }) => !collectible)).toBe(true);
  });

  const everyInstallment = async (workspace: string) => {
    const rows = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const input = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
      const page = await listAgingInstallments.call(actorOf(workspace), input, request());
      rows.push(...page.data);
      cursor = page.pagination.next_cursor;
    }
    return rows;
  };

  it("has names that are easy to get wrong [contract.demo.names]", async () => {
    const tenantId = tenants.get(ODD) ?? "";
    const customers = await rowsOf(core.store, tenantId, "customers");
    const names = customers.map(({ name }) => name ?? "");
    for (const pattern of [/%/, /_/, /'/, /"/, /\\/, /\p{Script=Han}/u, /\p{Script=Arabic}/u, /\p{Script=Cyrillic}/u])
      expect(
        names.some((name) => pattern.test(name)),
        String(pattern),
      ).toBe(true);
    expect(new Set(names).size).toBeLessThan(names.length);
    const emails = await core.store.read(tenantId, (tx) =>
      tx
        .selectFrom("invoices")
        .select("customer_id")
        .where("customer_id", "is not", null)
        .groupBy("customer_id")
        .having((one) => one.fn.count("customer_email").distinct(), ">", 1)
        .execute(),
    );
    expect(emails.length).toBeGreaterThan(0);
    for (const column of ["due_date", "collection_due_date", "customer_email", "customer_id", "currency"]) {
      const { rows } = await core.store.read(tenantId, (tx) =>
        sql`select from invoices where ${sql.ref(column)} is null limit 1`.execute(tx),
      );
      expect(rows, column).toHaveLength(1);
    }
  });

  it.each([
    ["Northwind Trading", "USD", "CAD"],
    ["Alpenglow Foods", "CHF", "EUR"],
  ] as const)("has a company as there are many: %s [contract.demo.companies]", (workspace, main, other) =>
    expectCompany(core, actorOf(workspace), [main, other]),
  );

  it("is a few hundred invoices of believable amounts, most of them pulled [contract.demo.connector]", async () => {
    for (const workspace of WORKSPACES) {
      const { total_count: total = 0 } = (await list(workspace, {})).pagination;
      expect(total).toBeGreaterThan(200);
      expect(total).toBeLessThan(600);
      const { rows } = await core.store.read(tenants.get(workspace) ?? "", (tx) =>
        sql<{ most: string }>`select max(total_amount) as most from invoices where currency <> 'JPY'`.execute(tx),
      );
      expect(Number(rows[0]?.most)).toBeLessThan(10_000_000);
    }
    const unsynced = await values(
      "select count(*) as value from invoices where origin = 'erp' and last_synced_at is null",
    );
    expect([...unsynced].map(Number)).toEqual([0]);
  });

  it("changes nothing at a second start, and follows its ERPs to their ports [contract.demo.connector]", async () => {
    const fingerprint = async () => {
      const tables = [
        "invoices",
        "installments",
        "payments",
        "tasks",
        "members",
        "people",
        "api_keys",
        "payment_links",
      ];
      const counts = tables.map(
        (table) => `select md5(string_agg(row::text, '' order by row::text)) as value from ${table} row`,
      );
      return values(counts.join(" union all "));
    };
    const before = await fingerprint();
    const file = readFileSync(join(dataDir, "demo.json"), "utf8");
    await erp.close();
    ({ core, erp } = await startDemo(opened.store, dataDir, { clock }));
    expect(await fingerprint()).toEqual(before);
    expect(readFileSync(join(dataDir, "demo.json"), "utf8")).toBe(file);
    expect(await values("select base_url as value from erp_connections where status = 'connected'")).toEqual(
      new Set(erp.sites.filter(({ site }) => site.fate === "works").map(({ simulator }) => simulator.url)),
    );
  });

  it("keeps its secrets when the service moves to another address [contract.demo.credentials]", async () => {
    await erp.close();
    const moved = { baseUrl: "http://localhost:4000", mcpUrl: "http://localhost:4000/mcp" };
    ({ core, erp } = await startDemo(opened.store, dataDir, { clock, addresses: moved }));
    expect(readCredentials(dataDir)).toEqual({ ...credentials, base_url: moved.baseUrl, mcp_url: moved.mcpUrl });
    expect(statSync(join(dataDir, "demo.json")).mode & 0o777).toBe(0o600);
  });

  it("goes on pulling, and finds nothing to change [contract.demo.connector]", async () => {
    const collected = `select string_agg(concat_ws(' ', state, status), ',' order by payment_link_id) as value
      from payment_links left join link_emails using (tenant_id, payment_link_id) union all select string_agg(erp_push_status, ',' order by payment_id) from payments
      union all select count(*)::text from workflow_executions`;
    const before = await values(collected);
    const begun = clock.now().toISOString();
    await setRows(
      core.store,
      null,
      "erp_connections",
      { last_sync_at: "2020-01-01T00:00:00Z" },
      { auto_sync_enabled: true },
    );
    const mailer = outboxMailer(join(dataDir, "outbox"));
    const jobs = createJobs(core, {
      lookEveryMs: 50,
      office: { mailer, fromAddress: "demo@receivables.example", publicOrigin: "http://localhost:3000" },
    });
    await jobs.start();
    const ended = `select count(*) as value from sync_runs
      where finished_at > '${begun}' and trigger = 'scheduled'`;
    await expect.poll(async () => Number([...(await values(ended))][0]), { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
    await jobs.drain();
    const latest = await values(`
      select distinct on (connection_id) run.status || ' ' || invoices_created || ' ' || invoices_updated || ' ' || invoices_retired as value
      from sync_runs run join erp_connections using (tenant_id, connection_id)
      where auto_sync_enabled order by connection_id, started_at desc`);
    expect(latest).toEqual(new Set(["succeeded 0 0 0"]));
    expect(await values(collected)).toEqual(before);
  });

  it("is secret in a way of its own each time [contract.demo.credentials]", () => {
    secretsSeen.push([
      ...credentials.people.map(({ password }) => password),
      ...credentials.api_keys.map(({ key }) => key),
    ]);
    const [first, second] = secretsSeen;
    expect(new Set(first).size).toBe(13);
    if (second !== undefined) expect(second.filter((secret) => first?.includes(secret))).toEqual([]);
  });
});
