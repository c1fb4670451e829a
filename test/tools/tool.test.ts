import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ROUTE_CALLERS } from "../../src/core/gate/actor.ts";
import { type Actor, operation, type Role, type Scope } from "../../src/core/gate/operation.ts";
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
  input: z.strictObject({}),
  output: z.strictObject({ data: z.array(z.string()) }),
  run: async () => ({ data: [] }),
});

describe("a tool", () => {
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
