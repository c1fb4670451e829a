import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { operation, ROUTE_CALLERS } from "../../src/core/gate/operation.ts";
import { openApiDocument } from "../../src/rest/openapi/document.ts";
import { ROUTES } from "../../src/rest/routes.ts";

const execute = promisify(execFile);
const document = openApiDocument(ROUTES, "https://receivables.example.test");

/** The parts of the document the tests look at. */
const Parsed = z.object({
  openapi: z.string(),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        summary: z.string().min(1),
        description: z.string().min(1),
        "x-permission": z.enum(["admin", "readonly"]),
        "x-side-effects": z.string().min(1),
        parameters: z.array(
          z.union([
            z.object({ $ref: z.string() }),
            z.object({
              name: z.string(),
              in: z.string(),
              description: z.string().min(1),
              schema: z.record(z.string(), z.unknown()),
              example: z.unknown(),
            }),
          ]),
        ),
        requestBody: z
          .object({ content: z.record(z.string(), z.object({ schema: z.unknown(), example: z.unknown() })) })
          .optional(),
        responses: z.record(
          z.string(),
          z.looseObject({
            content: z.record(z.string(), z.object({ schema: z.unknown(), example: z.unknown() })).optional(),
          }),
        ),
      }),
    ),
  ),
  info: z.object({ description: z.string() }),
  components: z.object({
    schemas: z.record(z.string(), z.record(z.string(), z.unknown())),
    responses: z.record(z.string(), z.object({ description: z.string(), headers: z.record(z.string(), z.unknown()) })),
  }),
});

/** service.md §4.2 and completions §5, as far as they concern reads, ERP connections, tasks and the workspace. */
const TABLE = `
GET /v1/me readonly getApiContext
GET /v1/invoices readonly listInvoices
GET /v1/invoices/{invoiceId} readonly getInvoice
GET /v1/payment-links readonly listPaymentLinks
POST /v1/payment-links admin createPaymentLink
POST /v1/payment-links/batch admin createPaymentLinks
GET /v1/payment-links/{paymentLinkId} readonly getPaymentLink
POST /v1/payment-links/{paymentLinkId}/deactivate admin deactivatePaymentLink
POST /v1/payment-links/{paymentLinkId}/email/reschedule admin reschedulePaymentLinkEmail
POST /v1/payment-links/{paymentLinkId}/email/cancel admin cancelPaymentLinkEmail
GET /v1/payments readonly listPayments
GET /v1/payments/{paymentId} readonly getPayment
POST /v1/payments/push-held admin pushHeldPayments
GET /v1/payment-integrations readonly listPaymentIntegrations
GET /v1/workflows readonly listWorkflows
GET /v1/workflows/{workflowId} readonly getWorkflow
GET /v1/workflow-executions readonly listWorkflowExecutions
GET /v1/erp-connections readonly listErpConnections
GET /v1/erp-connections/{connectionId} readonly getErpConnection
POST /v1/erp-connections/{connectionId}/sync admin startErpSync
POST /v1/erp-connections/{connectionId}/sync-schedule admin setErpSyncSchedule
POST /v1/erp-connections/{connectionId}/payment-push-mode admin setPaymentPushMode
GET /v1/sync-runs readonly listSyncRuns
GET /v1/sync-runs/{syncRunId} readonly getSyncRun
GET /v1/tasks readonly listTasks
GET /v1/tasks/{taskId} readonly getTask
POST /v1/tasks/{taskId}/dismiss admin dismissTask
GET /v1/aging/summary readonly summarizeAging
GET /v1/aging/customers readonly listCustomerAging
GET /v1/aging/installments readonly listAgingInstallments
`
  .trim()
  .split("\n");

/** An operation with everything the others have not: a key, a nested body, a 201. */
const withKey = operation({
  id: "dismissTask",
  tag: "Tasks",
  summary: "A test",
  description: "Of all that others have not.",
  callers: ROUTE_CALLERS,
  permission: "admin",
  scope: null,
  sideEffects: "Makes it.",
  idempotency: true,
  input: z.strictObject({
    items: z
      .array(z.strictObject({ amount_minor: z.int().optional() }))
      .min(1)
      .max(12),
  }),
  output: z.strictObject({ ok: z.boolean() }),
  run: async () => ({ ok: true }),
});

async function lint(content: object): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "receivables-openapi-"));
  try {
    const file = join(folder, "openapi.json");
    writeFileSync(file, JSON.stringify(content));
    const { stdout } = await execute("redocly", ["lint", file, "--format", "json", "--extends", "recommended"], {
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    }).catch((error: { stdout: string }) => error);
    const { totals, problems }: { totals: object; problems: { message: string }[] } = JSON.parse(stdout);
    return JSON.stringify({ totals, problems: problems.map((problem) => problem.message) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("the description of the API", () => {
  const parsed = Parsed.parse(document);
  const operations = Object.entries(parsed.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method: method.toUpperCase(), ...described })),
  );

  it("has every operation of the tables with its permission [service.4.2.endpoints] [service.9.description]", () => {
    const found = operations.map((one) => `${one.method} ${one.path} ${one["x-permission"]} ${one.operationId}`);
    expect(found.sort()).toEqual([...TABLE].sort());
    expect(new Set(operations.map((one) => one.operationId)).size).toBe(operations.length);
  });

  it.each([
    ["what is served", document],
    [
      "a document with idempotency",
      openApiDocument(
        [
          ...ROUTES.filter((route) => route.operation.id !== withKey.id),
          { method: "POST", path: "/v1/things", operation: withKey, status: 201 },
        ],
        "https://receivables.example.test",
      ),
    ],
  ])("has nothing a linter and a second validator find: %s [service.9.description]", async (_name, content) => {
    expect(await lint(content)).toBe(JSON.stringify({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] }));
    expect(await new Validator().validate({ ...content })).toMatchObject({ valid: true });
  });

  it("declares and says when a conflict is to be retried, and what can be kept [service.7.conflict-retry] [completions.13.etag]", () => {
    const { headers, description } = parsed.components.responses.Conflict ?? { headers: {}, description: "" };
    expect(headers).toHaveProperty("Retry-After");
    const said = operations.flatMap(({ responses }) =>
      responses["409"] === undefined ? [] : [JSON.stringify(responses["409"])],
    );
    for (const words of [description, ...said.filter((one) => one.includes("`conflict`"))])
      expect(words).toContain("Retry only where the answer has `Retry-After`");
    expect(parsed.info.description).toMatch(/409 `conflict` is retried only where\s+it has `Retry-After`/);
    expect(parsed.components.responses.NotModified?.headers).toHaveProperty("ETag");
    const kept = operations.filter(({ responses }) => "304" in responses);
    for (const { responses } of kept) {
      expect(responses["304"]).toEqual({ $ref: "#/components/responses/NotModified" });
      expect(responses["200"]).toMatchObject({ headers: { ETag: {} } });
    }
    const conditional = operations.filter(({ parameters }) => JSON.stringify(parameters).includes("/IfNoneMatch"));
    const names = (some: typeof operations) => some.map(({ method, path }) => `${method} ${path}`);
    expect(names(conditional)).toEqual(names(kept));
    expect(names(kept)).toEqual(names(operations).filter((name) => /^GET .*(\}|\/aging\/\w+)$/.test(name)));
  });

  it("leaves answers open to new fields, but for the one that says it is closed [service.9.additive]", () => {
    const closed = Object.entries(parsed.components.schemas)
      .filter(([name, schema]) => !name.endsWith("Request") && JSON.stringify(schema).includes("additionalProperties"))
      .map(([name]) => name);
    expect(closed).toEqual(["ErpConnection"]);
  });

  it("is what it was: a change of it is seen in review [service.9.additive]", async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot("openapi.json.snap");
  });
});
