import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { beforeAll, describe, expect, it } from "vitest";
import { toolSteering } from "../../src/mcp/tool-feature.ts";
import { tools } from "../../tools/index.ts";
import { testCore } from "../support/core.ts";
import { refusal } from "../support/lists.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";
import { type Desk, openDesk, Refused } from "./desk.ts";

const ajv = new Ajv2020({ strict: true, allErrors: true, formats: fullFormats });

describe.each(STORES)("every tool on $name", ({ open }) => {
  const opened = useStore(open);
  let desk: Desk;
  const call: Desk["call"] = (...given) => desk.call(...given);

  beforeAll(async () => {
    desk = await openDesk(opened);
  });

  it.each(tools)("$name answers what its output schema says [completions.3.tools]", async (tool) => {
    const validate = ajv.compile(tool.output);
    const answer = await call(tool, await desk.argumentsOf(tool));
    validate(JSON.parse(JSON.stringify(answer)));
    expect(validate.errors).toBeNull();
    if ("data" in answer) expect(answer.data).not.toEqual([]);
  });

  it.each(tools)("$name refuses an argument it does not know, by name [completions.3.tools]", async (tool) => {
    expect(await refusal(call(tool, { ...(await desk.argumentsOf(tool)), status_: "open" }))).toMatchObject({
      error: {
        code: "validation_failed",
        details: [{ field: "status_", message: expect.stringMatching(/^is not a known field: /) }],
      },
    });
  });

  it("names the tool that takes an argument another does not, of those the caller has [completions.10.errors.steer]", async () => {
    const listInvoices = tools.find(({ name }) => name === "list_invoices");
    if (listInvoices === undefined) throw new Error("there is list_invoices");
    const said = async (args: object, actor = desk.caller) => {
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
    const reader = { ...desk.caller, scopes: desk.caller.scopes.filter((scope) => scope === "receivables:read") };
    expect(await said({ task_id: "1" }, reader)).toEqual([expect.not.stringContaining("dismiss_task")]);
  });

  it("get_context names the tools the caller could call now [completions.3.tools-shown] [completions.3.get-context]", async () => {
    const [context] = tools;
    expect(context?.name).toBe("get_context");
    if (context === undefined) return;
    expect(await call(context, {})).toMatchObject({ callable_tools: tools.map((tool) => tool.name) });
    const reads = tools.filter((tool) => tool.scope === "receivables:read").map((tool) => tool.name);
    const reader = { ...desk.caller, scopes: ["receivables:read"] as const };
    expect(await call(context, {}, reader)).toMatchObject({ callable_tools: reads });
  });

  it.each(tools.filter((tool) => "idempotency_key" in tool.input.properties))(
    "$name names a missing or malformed idempotency_key [completions.9.tool-key]",
    async (tool) => {
      for (const bad of [undefined, "", "x".repeat(256), "tab\there", 7]) {
        const refused = refusal(call(tool, { ...(await desk.argumentsOf(tool)), idempotency_key: bad }));
        expect(await refused).toMatchObject({
          error: { code: "validation_failed", details: [{ field: "idempotency_key" }] },
        });
      }
    },
  );
});
