import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ROUTE_CALLERS } from "../../src/core/gate/actor.ts";
import { type Actor, operation, type Role, type Scope } from "../../src/core/gate/operation.ts";
import { CurrencyCode, MoneyString, PlainDate, Uuid } from "../../src/core/kernel/wire-types.ts";
import { mayCall, tool } from "../../tools/tool.ts";
import { assistant } from "../mcp/support.ts";

const face = {
  name: "list_things",
  title: "List things",
  description: "Lists things.",
};

const listThings = operation({
  id: "listThings",
  summary: "A test",
  callers: ROUTE_CALLERS,
  permission: "readonly",
  scope: "receivables:read",
  sideEffects: "None.",
  input: z.strictObject({
    thing_id: Uuid,
    currency: CurrencyCode.optional(),
    due_on: PlainDate.optional().describe("Due on that day."),
    limit: z.int().min(1).max(100).default(25),
    state: z.enum(["open", "paid"]).optional(),
  }),
  output: z.strictObject({ data: z.array(z.strictObject({ amount: MoneyString.nullable(), count: z.int() })) }),
  run: async () => ({ data: [] }),
});

describe("a tool", () => {
  it("reads scope, role and schemas off its operation", () => {
    const made = tool({ ...face, operation: listThings });
    expect(made).toMatchObject({ ...face, scope: "receivables:read", admin: false });
    expect(made.input).toEqual({
      type: "object",
      properties: {
        thing_id: { type: "string", format: "uuid" },
        currency: { type: "string", description: "ISO 4217 code" },
        due_on: { type: "string", format: "date", description: "Due on that day." },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 25 },
        state: { type: "string", enum: ["open", "paid"] },
      },
      required: ["thing_id"],
      additionalProperties: false,
    });
    expect(made.output).toMatchObject({
      type: "object",
      properties: { data: { type: "array", items: { properties: { count: { type: "integer" } } } } },
      required: ["data"],
    });
  });

  it("says of an answer what is there, not how it is spelt, for answers may gain fields [service.9.additive]", () => {
    expect(tool({ ...face, operation: listThings }).output).toEqual({
      type: "object",
      properties: {
        data: {
          type: "array",
          items: { type: "object", properties: { amount: { type: ["string", "null"] }, count: { type: "integer" } } },
        },
      },
      required: ["data"],
    });
  });

  it("cannot be made of an operation that assistants cannot call", () => {
    const hidden = operation({ ...listThings, scope: null, run: async () => ({ data: [] }) });
    expect(() => tool({ ...face, operation: hidden })).toThrow("list_things: listThings is not for assistants.");
  });

  it.each([
    ["drops unknown arguments", z.object({ a: z.string() })],
    ["takes any", z.looseObject({ a: z.string() })],
  ])("cannot be made of an input that %s", (_, input) => {
    const lax = operation({ ...listThings, input, run: async () => ({ data: [] }) });
    expect(() => tool({ ...face, operation: lax })).toThrow("list_things: the input schema must be strict.");
  });
});

describe("mayCall", () => {
  const member = (role: Role, ...scopes: Scope[]): Actor => assistant("a", { role, scopes }).actor;
  const read = { scope: "receivables:read", admin: false } as const;
  const write = { scope: "tasks:write", admin: true } as const;

  it.each([
    [member("member", "receivables:read"), read, true],
    [member("member"), read, false],
    [member("admin", "receivables:read"), write, false],
    [member("admin", "receivables:read", "tasks:write"), write, true],
    [member("member", "receivables:read", "tasks:write"), write, false],
    [{ kind: "api_key", tenantId: "t", keyId: "k", permission: "admin" } as const, read, false],
  ])("%o, %o: %s", (actor, needs, allowed) => {
    expect(mayCall(actor, needs)).toBe(allowed);
  });
});
