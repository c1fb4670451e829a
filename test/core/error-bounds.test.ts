import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../src/core/kernel/error.ts";
import { parseInput } from "../../src/core/kernel/validation.ts";
import { readQuery } from "../../src/http/query.ts";

const Input = z.strictObject({
  currency: z.string().optional(),
  fields: z.array(z.enum(["currency", "due_date", "invoice_number"])).optional(),
});
const names = Array.from({ length: 7_000 }, (_, n) => `k${n}`);

function refusal(act: () => unknown): ServiceError {
  try {
    act();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("it was taken");
}

describe("an error about thousands of faults", () => {
  it.each([
    ["unknown fields", () => parseInput(Input, Object.fromEntries(names.map((name) => [name, 0])))],
    ["wrong items", () => parseInput(Input, { fields: names })],
  ])("tells of the first %s, and how many more there are [completions.10.errors-bounded]", (_what, act) => {
    let steered = 0;
    const elsewhere = (): null => {
      steered += 1;
      return null;
    };
    const steering = { also: [], elsewhere };
    const { details = [] } = refusal(act);
    expect(details).toHaveLength(51);
    expect(details.at(-1)).toEqual({ field: "", message: "has 6950 more faults" });
    expect(JSON.stringify(details).length).toBeLessThan(32_000);
    refusal(() => parseInput(Input, Object.fromEntries(names.map((name) => [name, 0])), steering));
    expect(steered).toBeLessThanOrEqual(50);
  });

  it("looks at no more items of a list than it may have, and tells it beside what else is wrong [facts.inputs.bounded]", () => {
    let looks = 0;
    const link = z.string().refine(() => {
      looks += 1;
      return true;
    });
    const Links = z.strictObject({ links: z.array(link).max(3), name: z.string() });
    const { details } = refusal(() => parseInput(Links, { links: Array.from({ length: 1_000 }, () => "a") }));
    expect(details?.map(({ field }) => field)).toEqual(["links", "name"]);
    expect(looks).toBe(3);
  });

  it("looks at no more of a query than it tells of [completions.10.errors-bounded]", () => {
    let looked = 0;
    const query = names.map((name) => `${name}=1`).join("&");
    const stray = (): string => {
      looked += 1;
      return "belongs in the body";
    };
    const { details = [] } = refusal(() => readQuery(query, new Map(), stray));
    expect([details.length, looked]).toEqual([50, 50]);
  });

  it("shows a name that a caller made up cleaned and cut [completions.10.errors-bounded]", () => {
    const name = `\u001b[31m\u202eX${"y".repeat(3_000)}`;
    const { message, details = [] } = refusal(() => parseInput(Input, { [name]: 1 }));
    expect(details[0]?.field).toMatch(/^\[31mXy{1,115}$/);
    expect(message).not.toMatch(/\u202e/);
    expect(message.length).toBeLessThan(200);
  });
});
