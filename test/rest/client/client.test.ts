import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import type { components, paths } from "api";
import createClient, { type Client } from "openapi-fetch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Description, operationsOf } from "../../../src/web/docs/description.ts";
import { typeScriptSample } from "../../../src/web/docs/samples.ts";
import { readDemo, type ServerProcess, startServer } from "../../support/server.ts";
import { copyDemo, DEMO_KEY } from "../../support/stores.ts";
import { generateClientTypes } from "./generate.ts";

/** Where this folder's tsconfig.json finds what is generated. */
const GENERATED = new URL("../../../node_modules/.cache/client/", import.meta.url);

/** The samples of the reference, each as the function it would be in. */
function samplesOf(description: Description): string {
  const functions = operationsOf(description).map(
    (operation) => `export async function ${operation.operationId}() {
${typeScriptSample(operation, description)}
  return [data, error];
}`,
  );
  const head = ['import createClient from "openapi-fetch";', 'import type { paths } from "api";'];
  return [...head, "const client = createClient<paths>();", ...functions].join("\n");
}

/** What an integrator writes: types from the description, a client from npm, the demo to try it on. */
describe("a client generated from the description, against the demo", () => {
  let dataDir: string;
  let server: ServerProcess;
  let api: Client<paths>;
  let readonly: Client<paths>;

  beforeAll(async () => {
    dataDir = await copyDemo();
    server = await startServer(dataDir, { LOG_LEVEL: "warn", ENCRYPTION_KEY: DEMO_KEY });
    const { api_keys } = readDemo(dataDir);
    const [{ workspace }] = api_keys.length > 0 ? api_keys : [{ workspace: "" }];
    const clientOf = (permission: string) => {
      const key = api_keys.find((one) => one.workspace === workspace && one.permission === permission)?.key;
      return createClient<paths>({ baseUrl: server.url, headers: { Authorization: `Bearer ${key}` } });
    };
    [api, readonly] = [clientOf("admin"), clientOf("readonly")];
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("has the types that it and the samples of the reference are written with [service.9.description] [service.9.samples]", async () => {
    const description = await (await fetch(`${server.url}/openapi.json`)).text();
    mkdirSync(GENERATED, { recursive: true });
    writeFileSync(new URL("api.d.ts", GENERATED), await generateClientTypes(description));
    writeFileSync(new URL("samples.ts", GENERATED), samplesOf(JSON.parse(description)));
    execFileSync("tsc", ["--checkers", "1", "-p", import.meta.dirname], { stdio: "inherit" });
  });

  async function pageAfter(cursor: string | null): Promise<components["schemas"]["ListInvoicesAnswer"]> {
    const query = { limit: 100, include_total: true, ...(cursor === null ? {} : { cursor }) };
    const { data, error } = await readonly.GET("/v1/invoices", { params: { query } });
    if (data === undefined) throw new Error(error.error.code);
    return data;
  }

  it("knows whose key it has [service.4.3.me]", async () => {
    const { data } = await readonly.GET("/v1/me");
    expect(data?.api_key.permission).toBe("readonly");
  });

  it("lists invoices and pages through all of them", async () => {
    const invoices: components["schemas"]["Invoice"][] = [];
    let page = await pageAfter(null);
    invoices.push(...page.data);
    while (page.pagination.next_cursor !== null) {
      page = await pageAfter(page.pagination.next_cursor);
      invoices.push(...page.data);
    }
    const { total_count: total } = page.pagination;
    expect(invoices.length).toBe(total);
    expect(invoices.length).toBeGreaterThan(100);
    expect(new Set(invoices.map((invoice) => invoice.id)).size).toBe(invoices.length);
    const created = invoices.map((invoice) => invoice.created_at);
    expect(created).toEqual([...created].sort().reverse());
  });

  it("starts a sync and polls it to its end", async () => {
    const { data: connections } = await api.GET("/v1/erp-connections");
    const connection = connections?.data.find((one) => one.status === "connected");
    if (connection === undefined) throw new Error("the demo has no working connection");
    const connectionId = connection.id;
    const refused = await readonly.POST("/v1/erp-connections/{connectionId}/sync", {
      params: { path: { connectionId } },
    });
    expect(refused.error?.error.code).toBe("permission_denied");
    const started = await api.POST("/v1/erp-connections/{connectionId}/sync", { params: { path: { connectionId } } });
    expect(started.response.status).toBe(202);
    const syncRunId = started.data?.sync_run_id ?? "";
    const look = async () => (await api.GET("/v1/sync-runs/{syncRunId}", { params: { path: { syncRunId } } })).data;
    await expect.poll(look).toMatchObject({ status: "succeeded", trigger: "manual", connection_id: connectionId });
  });

  it("learns of its mistakes in types too", async () => {
    const { error, response } = await readonly.GET("/v1/invoices/{invoiceId}", {
      params: { path: { invoiceId: "not-an-id" } },
    });
    expect(response.status).toBe(400);
    expect(error?.error).toMatchObject({ code: "validation_failed", details: [{ field: "invoiceId" }] });
  });
});
