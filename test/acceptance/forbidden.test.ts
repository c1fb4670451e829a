import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { addMember } from "../../auth/members/add-member.ts";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import { SCOPES } from "../../src/core/gate/actor.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { tools } from "../../tools/index.ts";
import type { Tool } from "../../tools/tool.ts";
import { type Assistant, approveByForms, connectAssistant } from "../support/assistant.ts";
import { everyRow, PASSWORD } from "../support/auth-app.ts";
import { type Book, openBook } from "../support/book.ts";
import { furnishCollecting, linkRow, mailedLinkRow, paymentRow } from "../support/furnish.ts";
import { askMcp, signInAndApprove } from "../support/oauth-client.ts";
import { syncRunRow, taskRow } from "../support/rows.ts";
import { type RunningService, startService } from "../support/service.ts";
import { addRows } from "../support/stored.ts";
import { A_SERVICE } from "../support/thorough.ts";

/** All that an assistant connected to an admin may do beyond reading (service.md §1). */
const MAY = [
  "cancel_payment_link_email",
  "create_payment_links",
  "deactivate_payment_link",
  "dismiss_task",
  "push_held_payments",
  "reschedule_payment_link_email",
];

/** What else the service, its operators and its API can do, and an assistant cannot, under any name. */
const FORBIDDEN_TOOLS = [
  ...["send_email", "send_payment_link_email", "send_message", "charge", "pay", "record_payment", "confirm_payment"],
  ...["refund_payment", "transfer", "add_member", "remove_member", "set_role", "connect_integration"],
  ...["disconnect_integration", "issue_api_key", "revoke_api_key", "delete_invoice", "delete_payment_link"],
  ...["delete_payment", "delete_member", "delete_integration", "create_invoice", "set_payment_push_mode"],
  ...[
    "start_erp_sync",
    "set_erp_sync_schedule",
    "setPaymentPushMode",
    "startErpSync",
    "connectErp",
    "revokeConnection",
  ],
];

/** Arguments by which it could be tried to do more than a tool does. */
const FORBIDDEN_ARGUMENTS = {
  ...{ body: "Pay me", text: "Pay me", subject: "Pay me", message: "Pay me", html: "<p>", template: "mine", note: "x" },
  ...{ to: "me@evil.example", cc: "me@evil.example", email: "me@evil.example", from: "me@evil.example" },
  ...{ amount: "1.00", refund: true, paid: true, status: "paid", account: "acct_1", method: "sandbox" },
  ...{ role: "admin", member_id: randomUUID(), api_key: "rk_1", permission: "admin", secret_key: "sk_1" },
  ...{ payment_integration_id: randomUUID(), currencies: ["USD"], delete: true, force: true, tenant_id: randomUUID() },
};

/** Those nothing an assistant does may move. */
const UNTOUCHED = ["tenants", "members", "api_keys", "erp_connections", "payment_integrations", "customers"] as const;
/** Those that may gain rows and never lose one. */
const KEPT = [...UNTOUCHED, "invoices", "installments", "payment_links", "payments", "tasks", "workflows"] as const;
/** What changes where anything is done at all. */
const ALL = [...KEPT, "outgoing_mails", "audit_entries"] as const;

type TableName = (typeof KEPT)[number] | "outgoing_mails" | "audit_entries";

interface Leaf {
  path: string;
  schema: Record<string, unknown>;
}

const AnySchema = z.record(z.string(), z.unknown());

/** The arguments of a tool, those inside others too. */
function* argumentsOf(schema: unknown, path = ""): Generator<Leaf> {
  const { properties, items } = AnySchema.parse(schema);
  if (items !== undefined) yield* argumentsOf(items, `${path}[]`);
  else if (properties === undefined) yield { path, schema: AnySchema.parse(schema) };
  for (const [name, inner] of Object.entries(AnySchema.parse(properties ?? {})))
    yield* argumentsOf(inner, path === "" ? name : `${path}.${name}`);
}

const NotValid = z.object({
  error: z.looseObject({
    code: z.literal("validation_failed"),
    details: z.array(z.looseObject({ field: z.string() })),
  }),
});
const Refused = z.object({ error: z.looseObject({ code: z.string() }) });

describe.each(A_SERVICE)("what no assistant can do, $0", (kind) => {
  let service: RunningService;
  let book: Book;
  let admin: Assistant;
  let member: Assistant;
  let integrationId: string;
  let good: Record<string, Record<string, unknown>>;
  const people = { admin: `${randomUUID()}@acme.example`, member: `${randomUUID()}@acme.example` };
  const approve = (email: string) => approveByForms(service.url, { email, password: PASSWORD });

  beforeAll(async () => {
    service = await startService(kind, { jobs: { lookEveryMs: 60_000 } });
    const { core } = service;
    book = await openBook(core.store);
    const { tenantId } = book;
    const {
      installments: [installment],
    } = await book.invoice({}, [{}]);
    integrationId = (await furnishCollecting(core.store, installment)).payment_integration_id;
    await operate(core, tenantId, addMember, { email: people.admin, role: "admin", password: PASSWORD });
    await operate(core, tenantId, addMember, { email: people.member, role: "member", password: PASSWORD });
    await operate(core, tenantId, createApiKey, { name: "system", permission: "admin" });
    admin = await connectAssistant(service.mcpUrl, approve(people.admin));
    member = await connectAssistant(service.mcpUrl, approve(people.member));
  });
  beforeEach(async () => {
    good = await furnish();
    // So many calls a minute are not what this is about.
    await everyRow(service.core.store, (tx) => tx.deleteFrom("rate_windows").execute());
  });
  afterAll(async () => {
    await admin?.close();
    await member?.close();
    await service?.close();
  });

  /** Puts down an object for each tool to work on, and answers good arguments for each. */
  async function furnish(): Promise<typeof good> {
    const { store } = service.core;
    const { tenantId, connectionId } = book;
    const customer = await book.customer();
    const { invoice, installments } = await book.invoice({ customer }, [{ original_amount: "5000.00" }]);
    const [installment] = installments;
    const run = syncRunRow(tenantId, connectionId);
    const task = taskRow(tenantId, invoice.invoice_id);
    const active = linkRow(installment, integrationId);
    const mailed = [mailedLinkRow(installment, integrationId), mailedLinkRow(installment, integrationId)];
    const paid = linkRow(installment, integrationId, { state: "paid", paid_at: "2026-03-01T10:00:00.000Z" });
    const held = paymentRow(paid, { erp_push_status: "held" });
    await addRows(store, tenantId, {
      sync_runs: run,
      tasks: task,
      payment_links: [active, ...mailed, paid],
      payments: held,
    });
    const asked = { invoice_id: invoice.invoice_id, installment_id: installment.installment_id, amount_minor: 100 };
    return {
      get_invoice: { invoice_id: invoice.invoice_id },
      get_sync_run: { sync_run_id: run.sync_run_id },
      get_payment_link: { payment_link_id: active.payment_link_id },
      create_payment_links: { links: [asked], idempotency_key: randomUUID() },
      deactivate_payment_link: { payment_link_id: active.payment_link_id },
      cancel_payment_link_email: { payment_link_id: mailed[0]?.payment_link_id },
      reschedule_payment_link_email: {
        payment_link_id: mailed[1]?.payment_link_id,
        send_at: new Date(Date.now() + 86_400_000).toISOString(),
      },
      dismiss_task: { task_id: task.task_id },
      push_held_payments: { payment_ids: [held.payment_id], idempotency_key: randomUUID() },
    };
  }

  /** Every row of the workspace in these tables, in no order of its own. */
  function rowsOf(names: readonly TableName[]): Promise<Record<string, string[]>> {
    const { tenantId } = book;
    return service.core.store.read(tenantId, async (tx) => {
      const found: Record<string, string[]> = {};
      for (const name of names) {
        const { rows } = await sql`select * from ${sql.table(name)} where tenant_id = ${tenantId}`.execute(tx);
        found[name] = rows.map((row) => JSON.stringify(row)).sort();
      }
      return found;
    });
  }

  async function call({ client }: Assistant, name: string, args: object) {
    const result = await client.callTool({ name, arguments: { ...args } });
    const [part] = z.array(z.object({ text: z.string() })).parse(result.content);
    return { failed: result.isError === true, text: part?.text ?? "" };
  }

  const fieldsIn = (text: string): string[] => {
    const { error } = NotValid.parse(JSON.parse(text));
    return error.details.map(({ field }) => field).sort();
  };
  const codeIn = (text: string): string => Refused.parse(JSON.parse(text)).error.code;

  it("an admin's assistant with every scope is shown these tools and nothing else [service.1.assistant-may]", async () => {
    expect(admin.provider.kept?.scope?.split(" ")).toEqual(expect.arrayContaining([...SCOPES]));
    const { tools: listed } = await admin.client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    const writes = listed.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(writes.map(({ name }) => name).sort()).toEqual(MAY);
    for (const { name } of listed) {
      if (!MAY.includes(name)) expect(name).toMatch(/^(get|list|summarize)_/);
    }
    const beside = { completions: {}, prompts: {}, resources: {} };
    expect(admin.client.getServerCapabilities()).toEqual({ tools: {}, ...beside });
  });

  it("prompts, resources and completions read, and change nothing [service.1.no-resource]", async () => {
    const before = await rowsOf(ALL);
    const { prompts } = await admin.client.listPrompts();
    for (const { name, arguments: given = [] } of prompts) {
      const needed = given.filter(({ required }) => required === true).map((one) => [one.name, randomUUID()]);
      await admin.client.getPrompt({ name, arguments: Object.fromEntries(needed) });
      const [argument] = given;
      if (argument === undefined) continue;
      const ref = { type: "ref/prompt" as const, name };
      await admin.client.complete({ ref, argument: { name: argument.name, value: "" } });
    }
    const { resources } = await admin.client.listResources();
    for (const { uri } of resources) await admin.client.readResource({ uri });
    expect([prompts.length, resources.length]).toEqual([8, 5]);
    expect(await rowsOf(ALL)).toEqual(before);
  });

  it("no tool of another name does what is forbidden [service.1.assistant-never]", async () => {
    const before = await rowsOf(ALL);
    for (const name of FORBIDDEN_TOOLS)
      await expect(admin.client.callTool({ name, arguments: {} }), name).rejects.toMatchObject({ code: -32602 });
    expect(await rowsOf(ALL)).toEqual(before);
  });

  it("no tool that writes takes words, an address or money but a link's amount [service.1.assistant-never]", async () => {
    const { tools: listed } = await admin.client.listTools();
    for (const { name, inputSchema } of listed.filter((one) => MAY.includes(one.name))) {
      for (const { path, schema } of argumentsOf(inputSchema)) {
        const said = `${name} ${path}`;
        if (schema.type === "integer") expect(said).toBe("create_payment_links links[].amount_minor");
        else expect(schema.type, said).toBe("string");
        const opaque = schema.format === "uuid" || path === "idempotency_key";
        const moment = said === "reschedule_payment_link_email send_at" && schema.format === "date-time";
        expect(opaque || moment || schema.type === "integer", said).toBe(true);
        expect(path).not.toMatch(/member|role|integration|api_key|tenant|delete|refund|body|text|subject|email/);
      }
    }
  });

  it.each(tools.map(({ name }) => name))(
    "%s takes no argument that would do more [service.1.assistant-never]",
    async (name) => {
      const before = await rowsOf(ALL);
      const known = Object.keys(tools.find((one) => one.name === name)?.input.properties ?? {});
      const strange = Object.entries(FORBIDDEN_ARGUMENTS).filter(([argument]) => !known.includes(argument));
      // Filters of reading tools may bear such a name.
      if (MAY.includes(name)) expect(strange).toHaveLength(Object.keys(FORBIDDEN_ARGUMENTS).length);
      const { failed, text } = await call(admin, name, { ...good[name], ...Object.fromEntries(strange) });
      expect([failed, fieldsIn(text)]).toEqual([true, strange.map(([argument]) => argument).sort()]);
      expect(await rowsOf(ALL)).toEqual(before);
    },
  );

  it("create_payment_links takes no such argument inside a link either [service.1.assistant-never]", async () => {
    const before = await rowsOf(ALL);
    const { links, idempotency_key } = z.looseObject({ links: z.array(AnySchema) }).parse(good.create_payment_links);
    const args = { links: links.map((link) => ({ ...link, ...FORBIDDEN_ARGUMENTS })), idempotency_key };
    const { failed, text } = await call(admin, "create_payment_links", args);
    const named = Object.keys(FORBIDDEN_ARGUMENTS).map((argument) => `links[0].${argument}`);
    expect([failed, fieldsIn(text)]).toEqual([true, named.sort()]);
    expect(await rowsOf(ALL)).toEqual(before);
  });

  it("tools that read change nothing [service.1.assistant-never]", async () => {
    const before = await rowsOf(ALL);
    for (const { name } of tools.filter((one) => !MAY.includes(one.name))) {
      expect((await call(admin, name, good[name] ?? {})).failed, name).toBe(false);
    }
    expect(await rowsOf(ALL)).toEqual(before);
  });

  it("tools that write leave people, providers and keys alone, and delete, pay and mail nothing [service.1.assistant-never]", async () => {
    const before = await rowsOf(KEPT);
    const mails = await rowsOf(["outgoing_mails"]);
    for (const name of MAY) expect((await call(admin, name, good[name] ?? {})).failed, name).toBe(false);
    const after = await rowsOf(KEPT);
    for (const name of UNTOUCHED) expect(after[name], name).toEqual(before[name]);
    expect(await rowsOf(["outgoing_mails"])).toEqual(mails);
    const Payment = z.object({ payment_id: z.string(), amount: z.string(), currency: z.string() });
    const moneyIn = (rows: readonly string[] = []) => rows.map((row) => Payment.parse(JSON.parse(row)));
    const inOrder = (rows: readonly string[] | undefined) =>
      moneyIn(rows).sort((a, b) => (a.payment_id < b.payment_id ? -1 : 1));
    expect(inOrder(after.payments)).toEqual(inOrder(before.payments));
    for (const name of KEPT) {
      const gained = name === "payment_links" ? 1 : 0;
      expect(after[name]?.length, name).toBe((before[name]?.length ?? 0) + gained);
    }
  });

  const ADMINS: readonly Tool[] = tools.filter((tool) => tool.admin);

  it("a person who is no admin is shown no tool of an admin's [service.1.members-read]", async () => {
    const { tools: listed } = await member.client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(tools.filter((tool) => !tool.admin).map(({ name }) => name));
    expect(ADMINS.map(({ name }) => name).sort()).toEqual(MAY);
  });

  it.each(ADMINS.map(({ name }) => name))("calls no %s, and nothing changes [service.1.members-read]", async (name) => {
    const before = await rowsOf(KEPT);
    const { failed, text } = await call(member, name, good[name] ?? {});
    expect([failed, codeIn(text)]).toEqual([true, "permission_denied"]);
    expect(await rowsOf(KEPT)).toEqual(before);
  });

  it("an admin who is one no more can do nothing from the next call on [service.1.demotion]", async () => {
    const { core } = service;
    const { tenantId } = book;
    await operate(core, tenantId, setMemberRole, { member: { email: people.member }, role: "admin" });
    const promoted = await connectAssistant(service.mcpUrl, approve(people.member));
    const first = await call(promoted, "deactivate_payment_link", good.deactivate_payment_link ?? {});
    expect(first.failed).toBe(false);
    await operate(core, tenantId, setMemberRole, { member: { email: people.member }, role: "member" });
    const before = await rowsOf(KEPT);
    for (const name of MAY) {
      const { failed, text } = await call(promoted, name, good[name] ?? {});
      expect([failed, codeIn(text)], name).toEqual([true, "permission_denied"]);
    }
    expect(await rowsOf(KEPT)).toEqual(before);
    const { tools: listed } = await promoted.client.listTools();
    expect(listed.filter(({ name }) => MAY.includes(name))).toEqual([]);
    await promoted.close();
  });

  it("an admin without the scope is challenged for it, and nothing changes [service.1.step-up]", async () => {
    const person = { email: people.admin, password: PASSWORD, scope: "receivables:read" };
    const { accessToken } = await signInAndApprove(service.url, person);
    const post = (method: string, params: object) => askMcp(service.mcpUrl, accessToken, method, params);
    const before = await rowsOf(KEPT);
    for (const { name, scope } of ADMINS) {
      const answer = await post("tools/call", { name, arguments: good[name] });
      expect(answer.status, name).toBe(403);
      const challenge = answer.headers.get("www-authenticate") ?? "";
      expect(challenge).toMatch(/^Bearer .*error="insufficient_scope"/);
      expect(challenge).toContain(`scope="receivables:read ${scope}"`);
      expect(challenge).toContain('resource_metadata="http');
      await answer.body?.cancel();
    }
    expect(await rowsOf(KEPT)).toEqual(before);
    const listing = await (await post("tools/list", {})).text();
    for (const name of MAY) expect(listing).not.toContain(`"name":"${name}"`);
  });
});
