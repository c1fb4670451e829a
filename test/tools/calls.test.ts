import { randomUUID } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type AssistantActor, SCOPES } from "../../src/core/gate/actor.ts";
import { paymentProviders } from "../../src/core/payment-integrations/payment-providers.ts";
import { toolSteering } from "../../src/mcp/tool-feature.ts";
import { tools } from "../../tools/index.ts";
import type { Tool } from "../../tools/tool.ts";
import { openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { insertLinks } from "../support/emailed-links.ts";
import { furnishCollecting, linkRow, mailedLinkRow, paymentRow } from "../support/furnish.ts";
import { refusal } from "../support/lists.ts";
import { connectAssistant, syncRunRow, taskRow } from "../support/rows.ts";
import { STORES, type TestStore } from "../support/stores.ts";

const Rows = z.looseObject({ data: z.array(z.record(z.string(), z.unknown())) });
const Refused = z.object({
  error: z.object({ details: z.array(z.object({ field: z.string(), message: z.string() })) }),
});
const ajv = new Ajv2020({ strict: true, allErrors: true, formats: fullFormats });

describe.each(STORES)("every tool on $name", ({ open }) => {
  let opened: TestStore;
  let caller: AssistantActor;
  let required: Record<string, unknown>;
  let nextLink: () => Promise<string>;
  const call = (tool: Tool, args: object, actor = caller) => {
    const core = testCore(opened.store);
    const payments = paymentProviders({ ...core, sandboxAt: "https://receivables.example.test" });
    return tool.call(actor, args, { core: { ...core, payments }, requestId: "req_test" });
  };
  const argumentsOf = (tool: Tool) => {
    const needed = [...(tool.input.required ?? []), ...(tool.name === "push_held_payments" ? ["payment_ids"] : [])];
    return Object.fromEntries(needed.map((name) => [name, required[name]]));
  };

  beforeAll(async () => {
    opened = await open();
    const book = await openBook(opened.store);
    const { tenantId, connectionId } = book;
    const customer = await book.customer();
    const { invoice, installments } = await book.invoice({ customer, payment_terms: "NET 30" }, [
      { due_date: "2026-01-15", original_amount: "5000.00" },
      { due_date: "2026-04-15", not_collectible_reason: "disputed", disputed: true },
      { due_date: "2026-05-15", original_amount: "10.00" },
    ]);
    const [installment, , unlinked] = installments;
    if (installment === undefined || unlinked === undefined) throw new Error("the invoice has installments");
    await book.invoice({ origin: "local", currency: null, due_date: "2026-03-01", total_amount: null });
    const run = syncRunRow(tenantId, connectionId, {
      status: "failed",
      error_code: "interrupted",
      error_message: "Cut.",
    });
    const task = taskRow(tenantId, invoice.invoice_id);
    await opened.store.write(tenantId, async (tx) => {
      await tx.insertInto("tasks").values(task).execute();
      await tx.insertInto("sync_runs").values(run).execute();
    });
    const { payment_integration_id: integrationId } = await furnishCollecting(opened.store, installment);
    nextLink = async () => {
      const link = mailedLinkRow(installment, integrationId);
      await opened.store.write(tenantId, (tx) => insertLinks(tx, [link]));
      return link.payment_link_id;
    };
    const held = paymentRow(linkRow(installment, integrationId), { erp_push_status: "held" });
    await opened.store.write(tenantId, (tx) => tx.insertInto("payments").values(held).execute());
    const { invoice_id } = invoice;
    const { installment_id } = unlinked;
    required = {
      invoice_id,
      sync_run_id: run.sync_run_id,
      task_id: task.task_id,
      send_at: "2026-12-31T08:00:00Z",
      links: [{ invoice_id, installment_id, amount_minor: 1 }],
      payment_ids: [held.payment_id],
    };
    const connected = await connectAssistant(opened.store, tenantId, { role: "admin", scopes: SCOPES });
    caller = connected.actor;
  });
  beforeEach(async () => {
    required = { ...required, payment_link_id: await nextLink(), idempotency_key: randomUUID() };
  });
  afterAll(() => opened.remove());

  it.each(tools)("$name answers what its output schema says [completions.3.tools]", async (tool) => {
    const validate = ajv.compile(tool.output);
    const answer = await call(tool, argumentsOf(tool));
    validate(JSON.parse(JSON.stringify(answer)));
    expect(validate.errors).toBeNull();
    if ("data" in answer) expect(answer.data).not.toEqual([]);
  });

  const lists = tools.filter((tool) => "fields" in tool.input.properties);

  it.each(lists)("$name answers the fields asked for, and its rows' key [completions.3.fields]", async (tool) => {
    const { data: whole, ...envelope } = Rows.parse(await call(tool, {}));
    const key = tool.output.properties.data?.items?.required ?? [];
    const names = Object.keys(tool.output.properties.data?.items?.properties ?? {});
    const validate = ajv.compile(tool.output);
    for (const fields of [...names.map((name) => [name]), names.slice(1, 4).reverse(), names]) {
      const { data, ...rest } = Rows.parse(JSON.parse(JSON.stringify(await call(tool, { fields }))));
      const shown = names.filter((name) => key.includes(name) || fields.includes(name));
      const picked = whole.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => shown.includes(name))),
      );
      expect(data).toEqual(JSON.parse(JSON.stringify(picked)));
      expect(Object.keys(rest)).toEqual(Object.keys(envelope));
      validate({ ...rest, data });
      expect(validate.errors).toBeNull();
    }
  });

  it.each(lists)("$name answers a part of an object by its name [completions.10.fields]", async (tool) => {
    const { data: whole } = Rows.parse(await call(tool, {}));
    const key = tool.output.properties.data?.items?.required ?? [];
    const validate = ajv.compile(tool.output);
    for (const [name, schema] of Object.entries(tool.output.properties.data?.items?.properties ?? {})) {
      const parts = Object.keys(schema.properties ?? {});
      for (const asked of [parts.slice(0, 1), parts.slice(1, 3).reverse(), parts].filter(({ length }) => length > 0)) {
        const fields = asked.map((part) => `${name}.${part}`);
        const answer = Rows.parse(JSON.parse(JSON.stringify(await call(tool, { fields }))));
        const picked = whole.map((row) => ({
          ...Object.fromEntries(Object.entries(row).filter(([field]) => key.includes(field))),
          [name]:
            row[name] === null
              ? null
              : Object.fromEntries(Object.entries(Object(row[name])).filter(([part]) => asked.includes(part))),
        }));
        expect(answer.data).toEqual(JSON.parse(JSON.stringify(picked)));
        validate(answer);
        expect(validate.errors).toBeNull();
        // Beside its own name a part adds nothing.
        const both = Rows.parse(await call(tool, { fields: [...fields, name] }));
        expect(both.data).toEqual(Rows.parse(await call(tool, { fields: [name] })).data);
      }
    }
  });

  it("leads from a field's wrong name to the nearest, parts too [completions.10.fields]", async () => {
    const listInvoices = tools.find(({ name }) => name === "list_invoices") ?? expect.fail("list_invoices");
    const said = async (...fields: string[]) => {
      const { error } = Refused.parse(await refusal(call(listInvoices, { fields })));
      return error.details.map(({ field, message }) => `${field} ${message}`);
    };
    expect(await said("customer.nmae", "id", "customer_name", "invoiceNumber")).toEqual([
      'fields[0] must be a field of the rows, not "customer.nmae": the nearest is `customer.name`',
      'fields[2] must be a field of the rows, not "customer_name": the nearest is `customer.name`',
      'fields[3] must be a field of the rows, not "invoiceNumber": the nearest is `invoice_number`',
    ]);
    expect(await said("currency.code", "customer.address.city")).toEqual([
      'fields[0] must be a field of the rows, not "currency.code": the nearest is `currency`',
      'fields[1] must be a field of the rows, not "customer.address.city": the nearest is `customer`',
    ]);
    expect(await said("__proto__")).toEqual([
      expect.stringMatching(/^fields\[0\] must be one of id, invoice_number, .*customer\.name, .*, not "__proto__"$/),
    ]);
  });

  it.each(lists)(
    "$name names a field there is not, and all else that is wrong [completions.3.fields]",
    async (tool) => {
      const wrong = [["no_such_field"], [], "id", null];
      for (const fields of wrong)
        expect(await refusal(call(tool, { fields, limit: 0 }))).toMatchObject({
          error: {
            code: "validation_failed",
            details: expect.arrayContaining([
              { field: expect.stringMatching(/^fields/), message: expect.any(String) },
              { field: "limit", message: expect.any(String) },
            ]),
          },
        });
      const refused = call(tool, { fields: ["no_such_field"] }, { ...caller, scopes: [] });
      await expect(refused).rejects.toMatchObject({ code: "permission_denied" });
    },
  );

  it.each(tools)("$name refuses an argument it does not know, by name [completions.3.tools]", async (tool) => {
    expect(await refusal(call(tool, { ...argumentsOf(tool), status_: "open" }))).toMatchObject({
      error: {
        code: "validation_failed",
        details: [{ field: "status_", message: expect.stringMatching(/^is not a known field: /) }],
      },
    });
  });

  it("names the tool that takes an argument another does not, of those the caller has [completions.10.errors.steer]", async () => {
    const listInvoices = tools.find(({ name }) => name === "list_invoices");
    if (listInvoices === undefined) throw new Error("there is list_invoices");
    const said = async (args: object, actor = caller) => {
      const request = {
        core: testCore(opened.store),
        requestId: "req_test",
        steering: toolSteering(tools, listInvoices, actor),
      };
      const { error } = Refused.parse(await refusal(listInvoices.call(actor, args, request)));
      return error.details.map(({ field, message }) => `${field} ${message}`);
    };
    expect(await said({ customer_name: "Acme", field: ["id"], task_id: "1" })).toEqual([
      "customer_name is not a known field: the nearest is `search`",
      "field is not a known field: the nearest is `fields`",
      "task_id is not a known field: `dismiss_task` takes it",
    ]);
    const reader = { ...caller, scopes: caller.scopes.filter((scope) => scope === "receivables:read") };
    expect(await said({ task_id: "1" }, reader)).toEqual([expect.not.stringContaining("dismiss_task")]);
  });

  it.each(tools)("$name is refused without its scope, which is named [completions.3.tools-shown]", async (tool) => {
    const refused = call(tool, argumentsOf(tool), { ...caller, scopes: [] });
    await expect(refused).rejects.toMatchObject({ code: "permission_denied", missingScope: tool.scope });
  });

  it("get_context names the tools the caller could call now [completions.3.tools-shown] [completions.3.get-context]", async () => {
    const [context] = tools;
    expect(context?.name).toBe("get_context");
    if (context === undefined) return;
    expect(await call(context, {})).toMatchObject({ callable_tools: tools.map((tool) => tool.name) });
    const reads = tools.filter((tool) => tool.scope === "receivables:read").map((tool) => tool.name);
    const reader = { ...caller, scopes: ["receivables:read"] as const };
    expect(await call(context, {}, reader)).toMatchObject({ callable_tools: reads });
  });

  it.each(tools.filter((tool) => tool.admin))(
    "$name is refused to a person who is no admin [completions.3.tools-shown]",
    async (tool) => {
      const refused = call(tool, argumentsOf(tool), { ...caller, role: "member" });
      await expect(refused).rejects.toMatchObject({ code: "permission_denied", missingScope: undefined });
    },
  );

  it.each(tools.filter((tool) => "idempotency_key" in tool.input.properties))(
    "$name names a missing or malformed idempotency_key [completions.9.tool-key]",
    async (tool) => {
      for (const bad of [undefined, "", "x".repeat(256), "tab\there", 7]) {
        const refused = refusal(call(tool, { ...argumentsOf(tool), idempotency_key: bad }));
        expect(await refused).toMatchObject({
          error: { code: "validation_failed", details: [{ field: "idempotency_key" }] },
        });
      }
    },
  );
});
