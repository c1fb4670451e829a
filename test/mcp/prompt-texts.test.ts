import { describe, expect, it } from "vitest";
import { prompts } from "../../src/mcp/prompts/index.ts";
import { tools } from "../../tools/index.ts";

const textOf = (prompt: (typeof prompts)[number]): string =>
  prompt.text(prompt.name === "customer_statement" ? { customer: "Globex" } : {});

describe("the texts of prompts", () => {
  it.each(prompts)("$name names the tools it says it has called, and no others", (prompt) => {
    const text = textOf(prompt);
    const named = tools.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    expect(named.filter((name) => !prompt.tools.includes(name))).toEqual([]);
    expect(text.length).toBeLessThan(2_000);
  });

  it.each(prompts)("$name gives tools arguments they have [completions.10.prompts]", (prompt) => {
    const every = { currency: "EUR", bucket: "over_90", links: "without", customer: "Globex GmbH", days: "30" };
    const known = prompt.arguments.map(({ name }) => name);
    const text = prompt.text(Object.fromEntries(Object.entries(every).filter(([name]) => known.includes(name))));
    const taken = new Set(
      prompt.tools
        .flatMap((name) => tools.filter((tool) => tool.name === name))
        .flatMap((tool) => Object.keys(tool.input.properties)),
    );
    const given = [...text.matchAll(/\b([a-z_]+)=/g)].map(([, name = ""]) => name);
    expect(given.length).toBeGreaterThan(0);
    expect(given.filter((name) => !taken.has(name))).toEqual([]);
    for (const [, tool = "", written = ""] of text.matchAll(
      /\b(list_\w+|summarize_aging|get_invoice) with ([^\n:]*)/g,
    )) {
      const properties = Object.keys(tools.find(({ name }) => name === tool)?.input.properties ?? {});
      const named = [...written.matchAll(/\b([a-z_]+)=/g)].map(([, name = ""]) => name);
      expect(named.filter((name) => !properties.includes(name))).toEqual([]);
    }
  });

  it.each(prompts)(
    "$name asks for currency, basis and the last complete sync, which alone tells how fresh figures are [completions.10.prompts]",
    (prompt) => {
      const text = textOf(prompt);
      expect(text).toMatch(/never add currencies/i);
      expect(text).toContain("last_successful_sync_at");
      expect(text).not.toContain("data_updated_at");
      expect(text).toMatch(/basis|there is no history/i);
    },
  );
});
