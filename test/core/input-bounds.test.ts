import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ActorKind, AnyActor } from "../../src/core/gate/actor.ts";
import type { CallRequest } from "../../src/core/gate/run-context.ts";
import { testCore } from "../support/core.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

const ROOT = join(import.meta.dirname, "../..");
const DECLARES_OPERATION = /\boperation\(/;

interface Declared {
  readonly id: string;
  readonly callers: readonly ActorKind[];
  readonly input: z.ZodType;
  readonly call: (actor: AnyActor, input: unknown, request: CallRequest) => Promise<unknown>;
}

const isDeclared = (value: unknown): value is Declared =>
  typeof value === "object" &&
  value !== null &&
  "call" in value &&
  "input" in value &&
  value.input instanceof z.ZodType;

/** Every operation but the operators' own, read off the sources. */
async function declaredOperations(): Promise<Map<string, Declared>> {
  const found = new Map<string, Declared>();
  for (const path of globSync(["src/core/**/*.ts", "auth/**/*.ts", "src/web/**/*.ts"], { cwd: ROOT })) {
    if (!DECLARES_OPERATION.test(readFileSync(join(ROOT, path), "utf8"))) continue;
    const module: Record<string, unknown> = await import(pathToFileURL(join(ROOT, path)).href);
    for (const declared of Object.values(module).filter(isDeclared))
      if (declared.callers.some((kind) => kind !== "operator")) found.set(declared.id, declared);
  }
  return found;
}

type Schema = z.core.$ZodType;

/** The values in an input that are no objects, lists or choices of such: what a caller writes, by its path. */
function* leavesOf(schema: Schema, path: string): Generator<readonly [path: string, leaf: Schema]> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    yield* leavesOf(schema.unwrap(), path);
  else if (schema instanceof z.ZodObject)
    for (const [name, inner] of Object.entries<Schema>(schema.shape)) yield* leavesOf(inner, `${path}.${name}`);
  else if (schema instanceof z.ZodUnion) for (const option of schema.options) yield* leavesOf(option, path);
  else {
    yield [path, schema];
    const list = schema instanceof z.ZodPipe ? schema.in : schema;
    if (list instanceof z.ZodArray) yield* leavesOf(list.element, `${path}[]`);
  }
}

const LONG = 50_000;
/** Of what is kept of a text or list: cursors are the longest. */
const LONGEST = 8_000;
const TEXTS = ["a", "7", " ", "=", "é", "\n"].map((unit) => unit.repeat(LONG));
/** Long in the one place where some form of text has no end of its own. */
const FORMS = [
  `-${"7".repeat(LONG)}`,
  `0.${"7".repeat(LONG)}`,
  `${"0".repeat(LONG)}7.50`,
  `2026-11-30T12:00:00.${"0".repeat(LONG)}Z`,
  `${"2026-11-30"}${" ".repeat(LONG)}`,
  `${"a".repeat(LONG)}@example.com`,
  `a@${"a.".repeat(LONG)}com`,
  `https://example.com/${"a".repeat(LONG)}`,
  `sk_test_${"a".repeat(LONG)}`,
  `whsec_${"a".repeat(LONG)}`,
  `Europe/${"a".repeat(LONG)}`,
];

const operations = await declaredOperations();

describe("the input of", () => {
  it.each([...operations])("%s has no text, list or file without an end [facts.inputs.bounded]", (_, { input }) => {
    const unbounded = new Map<string, string>();
    for (const [path, leaf] of leavesOf(input, "")) {
      const { type, maxItems } = z.toJSONSchema(leaf, { io: "input", unrepresentable: "any" });
      if (type === "array" && maxItems === undefined) unbounded.set(path, "a list");
      for (const value of [...TEXTS, ...FORMS, new Uint8Array(5_000_000)]) {
        const begun = performance.now();
        // What is cut or trimmed is taken, and is short then.
        const isTaken = String(z.safeParse(leaf, value).data ?? "").length > LONGEST;
        const ms = performance.now() - begun;
        if (isTaken || ms > 2_000)
          unbounded.set(path, `${String(value).slice(0, 30)}… ${isTaken ? "taken" : `${ms} ms`}`);
      }
    }
    expect(Object.fromEntries(unbounded)).toEqual({});
  });

  it("every operation is looked at", () => expect(operations.size).toBeGreaterThan(60));
});

const ACTORS: Readonly<Record<ActorKind, object>> = {
  api_key: { keyId: crypto.randomUUID(), permission: "admin" },
  assistant: {},
  person: { memberId: crypto.randomUUID() },
  operator: {},
  system: { name: "a job" },
  provider: {},
};

const isActor = (value: object): value is AnyActor => "kind" in value;

/** An input with a value at a path, such as `.links[].email`, and nothing else. */
function inputWith(path: string, value: unknown): unknown {
  return path
    .split(".")
    .slice(1)
    .reduceRight<unknown>((inner, part) => {
      const [name = "", ...lists] = part.split("[]");
      return { [name]: lists.reduce((item) => [item], inner) };
    }, value);
}

describe.each(A_STORE)("texts that no store can keep, on $name", ({ open }) => {
  const { store } = useStore(open);

  it.each([...operations])("%s refuses each of them and names the field [facts.inputs.kept]", async (_, declared) => {
    const [kind = "system"] = declared.callers;
    const actor = { kind, tenantId: crypto.randomUUID(), ...ACTORS[kind] };
    if (!isActor(actor)) throw new Error("an actor is of a kind");
    const request = { core: testCore(store), requestId: "request-1", idempotencyKey: "once" };
    for (const [path] of leavesOf(declared.input, ""))
      for (const text of ["a\0b", "a\ud800b"]) {
        const called = declared.call(actor, inputWith(path, text), request);
        await expect(called, `${path} ${JSON.stringify(text)}`).rejects.toMatchObject({
          code: "validation_failed",
          details: expect.arrayContaining([expect.objectContaining({ field: path.slice(1).replaceAll("[]", "[0]") })]),
        });
      }
  });
});
