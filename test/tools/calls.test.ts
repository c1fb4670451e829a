import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MemberActor } from "../../src/core/actor.ts";
import { tools } from "../../tools/index.ts";
import type { Tool } from "../../tools/tool.ts";
import { openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { refusal } from "../support/lists.ts";
import { connectAssistant, syncRunRow, taskRow } from "../support/rows.ts";
import { STORES, type TestStore } from "../support/stores.ts";

const ajv = new Ajv2020({ strict: true, allErrors: true, formats: fullFormats });

describe.each(STORES)("every tool on $name", ({ open }) => {
  let opened: TestStore;
  let caller: MemberActor;
  let required: Record<string, string>;
  const call = (tool: Tool, args: object, actor = caller) =>
    tool.call(actor, args, { core: testCore(opened.store), requestId: "req_test" });
  const argumentsOf = (tool: Tool) =>
    Object.fromEntries((tool.input.required ?? []).map((name) => [name, required[name]]));

  beforeAll(async () => {
    opened = await open();
    const book = await openBook(opened.store);
    const { tenantId, connectionId } = book;
    const customer = await book.customer();
    const { invoice } = await book.invoice({ customer, payment_terms: "NET 30" }, [
      { due_date: "2026-01-15" },
      { due_date: "2026-04-15", not_collectible_reason: "disputed", disputed: true },
    ]);
    await book.invoice({ origin: "local", currency: null, due_date: "2026-03-01", total_amount: null });
    const run = syncRunRow(tenantId, connectionId, {
      status: "failed",
      error_code: "interrupted",
      error_message: "Cut.",
    });
    await opened.store.write(tenantId, async (tx) => {
      await tx.insertInto("tasks").values(taskRow(tenantId, invoice.invoice_id)).execute();
      await tx.insertInto("sync_runs").values(run).execute();
    });
    required = { invoice_id: invoice.invoice_id, sync_run_id: run.sync_run_id };
    caller = (await connectAssistant(opened.store, tenantId)).actor;
  });
  afterAll(() => opened.remove());

  it.each(tools)("$name answers what its output schema says [completions.3.tools]", async (tool) => {
    const validate = ajv.compile(tool.output);
    const answer = await call(tool, argumentsOf(tool));
    validate(JSON.parse(JSON.stringify(answer)));
    expect(validate.errors).toBeNull();
    if ("data" in answer) expect(answer.data).not.toEqual([]);
  });

  it.each(tools)("$name refuses an argument it does not know, by name [completions.3.tools]", async (tool) => {
    expect(await refusal(call(tool, { ...argumentsOf(tool), status_: "open" }))).toMatchObject({
      error: { code: "validation_failed", details: [{ field: "status_", message: "is not a known field" }] },
    });
  });

  it.each(tools)("$name is refused without its scope, which is named [completions.3.tools-shown]", async (tool) => {
    const refused = call(tool, argumentsOf(tool), { ...caller, scopes: [] });
    await expect(refused).rejects.toMatchObject({ code: "permission_denied", missingScope: "receivables:read" });
  });

  it("get_context names the tools the caller could call now [completions.3.tools-shown] [completions.3.get-context]", async () => {
    const [context] = tools;
    expect(context?.name).toBe("get_context");
    if (context === undefined) return;
    const reads = tools.filter((tool) => tool.scope === "receivables:read").map((tool) => tool.name);
    expect(await call(context, {})).toMatchObject({ callable_tools: reads });
  });
});
