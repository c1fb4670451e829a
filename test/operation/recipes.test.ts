import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const NOT_COPIED = /^(\.git|node_modules|data.*|results|\.screenshots)$/;
/** A nested run of tests is one of its own: neither a part nor a worker of this one. */
const ENV = Object.fromEntries(
  Object.entries({ ...process.env, NO_COLOR: "1" }).filter(([name]) => !/^(VITEST|TEST_|NODE_ENV|FORCE_)/.test(name)),
);

/** What is done by hand: a new file, or text put in front of a place in a file that is there. */
type Edit = readonly [file: string, text: string, before?: string];

const READ: readonly Edit[] = [
  [
    "src/core/payment-integrations/operations/get-payment-integration.ts",
    `import { z } from "zod";
import { operation, RECEIVABLES_READ } from "../../gate/operation.ts";
import { orNotFound } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { integrationsQuery } from "../../provider-access/integration-queries.ts";
import { integrationOnWire, PaymentIntegration } from "../../provider-access/schema.ts";

/** One payment integration. Throws \`not_found\`. */
export const getPaymentIntegration = operation({
  id: "getPaymentIntegration",
  tag: "Payment links",
  summary: "Read a payment integration",
  description: "A disconnected one can still be read.",
  ...RECEIVABLES_READ,
  input: z.strictObject({ payment_integration_id: Uuid.describe("Payment integration id") }),
  output: PaymentIntegration,
  async run({ tx, actor }, { payment_integration_id: id }) {
    const found = integrationsQuery(tx, actor.tenantId).where("payment_integration_id", "=", id);
    return integrationOnWire(orNotFound(await found.executeTakeFirst(), "payment integration"));
  },
});
`,
  ],
  [
    "src/rest/routes.ts",
    '  get("/v1/payment-integrations/{paymentIntegrationId}", getPaymentIntegration),\n',
    '  get("/v1/erp-connections", ',
  ],
  [
    "src/rest/examples.json",
    `    "getPaymentIntegration": {
      "parameters": { "paymentIntegrationId": "e1f2a3b4-c5d6-4e7f-8091-a2b3c4d5e6f7" },
      "answer": {
        "id": "e1f2a3b4-c5d6-4e7f-8091-a2b3c4d5e6f7",
        "provider": "stripe", "status": "connected", "currencies": ["EUR", "USD"],
        "created_at": "2026-01-12T10:05:00.000Z", "livemode": true
      }
    },
`,
    '    "listPaymentIntegrations": {',
  ],
  [
    "src/rest/openapi/words.json",
    '      "paymentIntegrationId": "UUID of the payment integration: its `id` in `/v1/payment-integrations`.",\n',
    '      "paymentLinkId": ',
  ],
  [
    "test/rest/openapi.test.ts",
    "GET /v1/payment-integrations/{paymentIntegrationId} readonly getPaymentIntegration\n",
    "GET /v1/workflows readonly",
  ],
  ["test/rest/parity.test.ts", '"/v1/payment-integrations", ', '"/v1/payments", "/v1/tasks", "/v1/workflows"]'],
];

const PAGE: readonly Edit[] = [
  [
    "src/web/collecting/task-count-page.ts",
    `import { counted } from "../../core/kernel/counted.ts";
import { listTasks } from "../../core/tasks/operations/list-tasks.ts";
import { members, type WorkspaceVisit } from "../kit/page.ts";

const TITLE = "Tasks at a glance";

/** \`/task-count\`: how many tasks are open. */
export const TASK_COUNT_PAGE = {
  listing: { path: "/task-count", name: TITLE, beside: "/tasks" },
  routes: [members.get("/task-count", show)],
};

async function show(visit: WorkspaceVisit) {
  const { pagination } = await visit.call(listTasks, { state: "open", include_total: true });
  visit.showPage({ title: TITLE, isListed: true }, counted(pagination.total_count ?? 0, "task is open", "tasks are open"));
}
`,
  ],
  ["src/web/pages.ts", "  TASK_COUNT_PAGE,\n", "  ...[PAYMENT_LIST, "],
  ["test/web/doors/doors.ts", '  "GET /task-count": OWN,\n', '  "GET /settings": OWN'],
];
/** Imports that an editor adds; \`npm run format\` puts them into their order. */
const IMPORTS: readonly Edit[] = [
  [
    "src/rest/routes.ts",
    'import { getPaymentIntegration } from "../core/payment-integrations/operations/get-payment-integration.ts";\n',
    "import ",
  ],
  ["src/web/pages.ts", 'import { TASK_COUNT_PAGE } from "./collecting/task-count-page.ts";\n', "import "],
];

describe("a recipe of CONTRIBUTING.md, carried out in a copy of the repository", () => {
  const copy = mkdtempSync(join(tmpdir(), "recipes-"));

  beforeAll(() => {
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !NOT_COPIED.test(path.slice(ROOT.length + 1)) });
    symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
    for (const [file, text, before] of [...READ, ...PAGE, ...IMPORTS]) {
      const path = join(copy, file);
      const there = before === undefined ? "" : readFileSync(path, "utf8");
      if (before !== undefined) expect(there, file).toContain(before);
      writeFileSync(path, before === undefined ? text : there.replace(before, () => text + before));
    }
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  /** The commands of a section as they are written there, one after another; a name in them may be another. */
  async function follow(section: string, named: (command: string) => string = (command) => command): Promise<void> {
    const sections = readFileSync(join(copy, "CONTRIBUTING.md"), "utf8").split("\n## ");
    const text = sections.find((one) => one.startsWith(section)) ?? "";
    const [, commands = ""] = /```sh\n([\s\S]*?)^ *```$/m.exec(text) ?? [];
    expect((await run(named(commands))).stdout).toMatch(/Tests +\d+ passed/);
  }

  const run = (commands: string) =>
    promisify(execFile)("bash", ["-ec", commands], { cwd: copy, env: ENV, maxBuffer: 1e8 }).catch((error: unknown) => {
      throw new Error(`${error instanceof Error && "stdout" in error ? error.stdout : ""}`, { cause: error });
    });

  it("adds a read with its route by five edits and a new file", async () => {
    await run("npm run format");
    await follow("Add an operation (REST)");
    expect(readFileSync(join(copy, "test/rest/openapi.json.snap"), "utf8")).toContain('"getPaymentIntegration"');
  });

  it.runIf(HAS_CHROMIUM)("adds a page by two edits and a new file", () =>
    follow("Add a page", (commands) => commands.replace("workflows", "task-count")),
  );

  it("leaves code that passes the check", () => run("npm run check"));
});
