import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { installedFor } from "../support/installed.ts";
import { readDemo, type ServerProcess, startServer } from "../support/server.ts";
import { copyDemo, DEMO_KEY } from "../support/stores.ts";
import type { Asked, Report } from "./calls/calls.ts";

const execute = promisify(execFile);
const CALLS = join(import.meta.dirname, "calls");

/** How people run the generators: on the description's file, into a folder of their own. */
const GENERATORS: Readonly<Record<string, (description: string, folder: string) => readonly string[]>> = {
  "hey-api": (description, folder) => ["openapi-ts", "-i", description, "-o", folder],
  // Its clients call paths without a host unless it is told, in a file, to take the description's.
  orval: (_description, folder) => ["orval", "--config", `${folder}.config.mjs`],
  "openapi-zod-client": (description, folder) => ["openapi-zod-client", description, "-o", `${folder}.ts`],
  "swagger-typescript-api": (description, folder) => [
    "swagger-typescript-api",
    "generate",
    "-p",
    description,
    "-o",
    folder,
  ],
  // Without options the 27 parameters of a list are arguments in their order.
  "openapi-typescript-codegen": (description, folder) => ["openapi", "-i", description, "-o", folder, "--useOptions"],
};

const Invoices = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      invoice_number: z.string().nullable(),
      erp_push_state: z.string().nullable(),
      connection_id: z.string().nullable(),
      installments: z
        .array(z.object({ id: z.string(), collectible: z.boolean(), available_amount: z.string() }))
        .optional(),
    }),
  ),
  pagination: z.object({ total_count: z.int().optional() }),
});

/** What five generators from npm make of the description, compiled as strictly as can be and called against the demo. */
describe("generators of clients", () => {
  let home: string;
  /** What they make, beside the packages that it needs. */
  let made: string;
  let description: string;
  let dataDir: string;
  let server: ServerProcess;
  let key: string;

  const get = async (query: string) => {
    const answer = await fetch(`${server.url}/v1/invoices?${query}`, { headers: { Authorization: `Bearer ${key}` } });
    return Invoices.parse(await answer.json());
  };
  const run = ([program = "", ...args]: readonly string[]) =>
    execute(join(home, "node_modules/.bin", program), args, { cwd: home, maxBuffer: 1e8 });

  beforeAll(async () => {
    home = await installedFor(import.meta.dirname);
    made = join(home, "made");
    description = join(home, "openapi.json");
    dataDir = await copyDemo();
    server = await startServer(dataDir, { LOG_LEVEL: "warn", ENCRYPTION_KEY: DEMO_KEY });
    key = readDemo(dataDir).api_keys.find(({ permission }) => permission === "admin")?.key ?? "";
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made, { recursive: true });
    writeFileSync(description, await (await fetch(`${server.url}/openapi.json`)).text());
    const output = {
      target: join(made, "orval/api.ts"),
      client: "fetch",
      baseUrl: { getBaseUrlFromSpecification: true },
    };
    writeFileSync(
      join(made, "orval.config.mjs"),
      `export default ${JSON.stringify({ api: { input: description, output } })}`,
    );
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it.each(Object.entries(GENERATORS))("%s takes the description [service.9.generators]", async (name, generate) => {
    await run(generate(description, join(made, name)));
  });

  it("make what compiles under --strict, and lets people write what they mean [service.9.generators]", async () => {
    const unchecked = join(made, "swagger-typescript-api/Api.ts");
    writeFileSync(unchecked, readFileSync(unchecked, "utf8").replace("// @ts-nocheck", ""));
    const { stdout } = await execute("tsc", ["-p", CALLS], { maxBuffer: 1e8 }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe("");
  });

  it.each(Object.keys(GENERATORS))("%s calls the demo [service.9.generators]", async (name) => {
    const found = (await get("has_available=true&limit=25&include=installments")).data;
    const invoice = found.find(
      (one) => one.connection_id !== null && one.installments?.some((part) => part.collectible),
    );
    const installment = invoice?.installments?.find((part) => part.collectible && Number(part.available_amount) > 10);
    if (invoice === undefined || installment === undefined) throw new Error("the demo has nothing to collect");
    const asked: Asked = {
      baseUrl: server.url,
      key,
      invoiceId: invoice.id,
      installmentId: installment.id,
      connectionId: invoice.connection_id ?? "",
      idempotencyKey: randomUUID(),
    };
    const listed = await get(
      "has_available=true&updated_since=2020-01-01&limit=5&collection_status=open&order=asc&include_total=true",
    );
    const file = join(made, `${name}.bundle.mjs`);
    const settings = ["--bundle", "--format=esm", "--platform=node", `--tsconfig=${join(CALLS, "tsconfig.json")}`];
    // Of packages that are CommonJS.
    const banner = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
    await run(["esbuild", join(CALLS, `${name}.ts`), ...settings, `--banner:js=${banner}`, `--outfile=${file}`]);
    const { call }: { call(asked: Asked): Promise<Report> } = await import(pathToFileURL(file).href);
    const report = await call(asked);
    expect(report).toEqual({
      listed: listed.data.map((one) => one.invoice_number),
      total: listed.pagination.total_count,
      states: listed.data.map((one) => one.erp_push_state),
      read: { id: invoice.id, installments: invoice.installments?.length },
      link: { id: report.again, amount_minor: 100, status: "active" },
      again: expect.any(String),
      refusal: "not_found",
      pushed: expect.any(Number),
    });
    expect(report.listed).toHaveLength(5);
  });
});
