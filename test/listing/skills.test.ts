import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../src/core/kernel/json-schema.ts";
import { skills } from "../../src/listing/skills.ts";
import { prompts } from "../../src/mcp/prompts/index.ts";
import { staticResources } from "../../src/mcp/resources/index.ts";
import { tools } from "../../tools/index.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const toolNamed = (name: string) => tools.find((tool) => tool.name === name);

/** Every field that a schema has anywhere. */
function* fieldsOf({ properties = {}, items }: JsonSchema): Generator<string> {
  for (const [name, schema] of Object.entries(properties)) {
    yield name;
    yield* fieldsOf(schema);
  }
  if (items !== undefined) yield* fieldsOf(items);
}

const FIELDS = new Set(tools.flatMap(({ input, output }) => [...fieldsOf(input), ...fieldsOf(output)]));
const VALUES = new Set(
  tools
    .flatMap(({ input, output }) => JSON.stringify([input, output]).match(/"[a-z_]+"/g) ?? [])
    .map((text) => text.slice(1, -1)),
);

/** What a skill's text says that is not so: tools, arguments, values, fields or prompts that do not exist. */
function untruths(text: string): string[] {
  const found: string[] = [];
  for (const [, name = "", written = ""] of text.matchAll(
    /`((?:[a-z]+_)+[a-z]+)` (?:with|once for each of) ([^\n]*)/g,
  )) {
    const properties = toolNamed(name)?.input.properties;
    if (properties === undefined) {
      found.push(name);
      continue;
    }
    // Only the arguments of this call: another named further on has its own.
    const [own = ""] = written.split("`");
    for (const [, argument = "", value = ""] of own.matchAll(/\b([a-z_]+)=(<[^>]*>|[\w.]+)/g)) {
      const schema = properties[argument];
      if (schema === undefined) found.push(`${name} ${argument}`);
      else if (schema.enum !== undefined && !value.startsWith("<") && !schema.enum.map(String).includes(value))
        found.push(`${name} ${argument}=${value}`);
      else if (schema.type === "integer" && !value.startsWith("<") && !(Number(value) <= (schema.maximum ?? 0)))
        found.push(`${name} ${argument}=${value}`);
    }
  }
  for (const [, name = ""] of text.matchAll(/[Pp]rompts? `([a-z_]+)`/g))
    if (!prompts.some((prompt) => prompt.name === name)) found.push(`prompt ${name}`);
  for (const [, quoted = ""] of text.matchAll(/`([a-z_.]+)`/g)) {
    const known = (name: string) => FIELDS.has(name) || VALUES.has(name);
    const isName = toolNamed(quoted) !== undefined || prompts.some(({ name }) => name === quoted);
    if (!isName && !quoted.split(".").every(known)) found.push(quoted);
  }
  return found;
}

const NAMES = ["collections-worklist", "month-end", "receivables-review"];

describe("skills", () => {
  it("are the three jobs, each short [listing.skills]", () => {
    expect(skills.map(({ name }) => name)).toEqual(NAMES);
    for (const { name, text } of skills) {
      expect(text.length, name).toBeLessThan(4_500);
      expect(text, name).toMatch(/never add two currencies/i);
      expect(text, name).toMatch(/`last_successful_sync_at`/);
      expect(text, name).toMatch(/`business_date`/);
    }
  });

  it.each(skills)("$name tells only of what exists [listing.skills]", ({ text }) => {
    expect(untruths(text)).toEqual([]);
  });

  it("that name what does not exist are found [listing.skills]", () => {
    for (const [text, untruth] of [
      ["Call `list_debts` with limit=5", "list_debts"],
      ["Call `list_invoices` with overdue_only=true", "list_invoices overdue_only"],
      ["Call `list_invoices` with sort=amount_desc", "list_invoices sort=amount_desc"],
      ["Call `list_invoices` with limit=1000", "list_invoices limit=1000"],
      [
        "Call `list_payments` once for each of erp_push_status=held and erp_push_status=lost",
        "list_payments erp_push_status=lost",
      ],
      ["The prompt `cash_review` does it", "prompt cash_review"],
      ["Read `days_late` of each", "days_late"],
      ["Group by `customer.key`", "customer.key"],
    ] as const)
      expect(untruths(text)).toContain(untruth);
  });

  it("are resources, word for word [listing.skill-resources]", () => {
    const served = staticResources(() => "").filter(({ uri }) => uri.startsWith("skill://"));
    expect(served.map(({ uri, read }) => [uri, read()])).toEqual(
      NAMES.map((name) => [`skill://${name}/SKILL.md`, readFileSync(join(ROOT, "skills", name, "SKILL.md"), "utf8")]),
    );
  });
});
