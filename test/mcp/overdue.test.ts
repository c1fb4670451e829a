import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { money, sum } from "../../src/core/kernel/money.ts";
import { prompts } from "../../src/mcp/prompts/index.ts";
import { resourceTemplates, staticResources } from "../../src/mcp/resources/index.ts";
import { openApiText } from "../../src/rest/openapi/document.ts";
import { ROUTES } from "../../src/rest/routes.ts";
import { tools } from "../../tools/index.ts";
import { INSTRUCTIONS } from "../../tools/instructions.ts";
import { type Book, openBook } from "../support/book.ts";
import { TestClock, testCore } from "../support/core.ts";
import { connectAssistant } from "../support/rows.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";
import { openAssistantRoute } from "./receivables.ts";

const ROOT = join(import.meta.dirname, "../..");

/** A due filter of the invoice list, or a list that is under one. */
const DUE_FILTER = /\bdue_(?:before|after)\b|\b(?:due|date) filters?\b/i;
const SUMS = /\b(?:sum(?:s|med|ming)?|totals?|add(?:s|ed|ing)? up|how much|amounts?)\b/i;
const CALLS_OVERDUE = /\boverdue\b/i;
/** Words by which a sentence that has both of the above forbids it, or leads elsewhere. */
const FORBIDS = /\b(?:never|no|not|cannot|without|whole invoices|worklist)\b/i;

const sentencesOf = (text: string): string[] =>
  text.split("\n").flatMap((line) => {
    const cells = line.startsWith("|") ? line.split("|").slice(1, -1) : [line];
    return cells.flatMap((cell, column) => {
      const isForbidden = text.includes("| Do not |") && column > 0 && column === cells.length - 1;
      return cell.split(/(?<=[.;!?])\s+/).map((sentence) => (isForbidden ? `Do not: ${sentence}` : sentence));
    });
  });

/** The sentences of a text that tell its reader to sum invoices under a due filter, or to call them overdue. */
function misleading(text: string): string[] {
  return sentencesOf(text).filter(
    (sentence) =>
      DUE_FILTER.test(sentence) && (SUMS.test(sentence) || CALLS_OVERDUE.test(sentence)) && !FORBIDS.test(sentence),
  );
}

/** Every text that a person or a model is told by, by where it stands. */
function everyText(): Map<string, string> {
  const texts = new Map<string, string>([["instructions", INSTRUCTIONS]]);
  const inside = (value: unknown, where: string): void => {
    if (typeof value === "string") texts.set(where, value);
    else if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) inside(inner, `${where}.${name}`);
  };
  for (const { name, description, input, output } of tools) inside({ description, input, output }, name);
  for (const prompt of prompts) {
    inside(prompt.description, `${prompt.name}.description`);
    for (const links of prompt.arguments.some(({ name }) => name === "links") ? [{}, { links: "without" }] : [{}])
      inside(
        prompt.text({ ...links, ...(prompt.name === "customer_statement" ? { customer: "x" } : {}) }),
        prompt.name,
      );
  }
  for (const { uri, description } of staticResources(() => "")) inside(description, uri);
  for (const { uriTemplate, description } of resourceTemplates) inside(description, uriTemplate);
  for (const { uri, read } of staticResources(() => "")) inside(read(), uri);
  inside(JSON.parse(openApiText(ROUTES, "https://receivables.example.test")()), "openapi");
  for (const file of ["README.md", ...readdirSync(join(ROOT, "docs")).map((name) => `docs/${name}`)])
    if (file.endsWith(".md")) texts.set(file, readFileSync(join(ROOT, file), "utf8"));
  return texts;
}

describe("what is said of overdue amounts", () => {
  it("never is the sum of invoices under a due filter [completions.10.overdue-words] [service.4.10.whole-invoices]", () => {
    const texts = everyText();
    expect(texts.size).toBeGreaterThan(200);
    expect([...texts].flatMap(([where, text]) => misleading(text).map((one) => `${where}: ${one}`))).toEqual([]);
  });

  it("leads from the invoice list to aging, wherever that is described [completions.10.overdue-words]", () => {
    const texts = everyText();
    for (const where of ["list_invoices.description", "instructions", "receivables://guide"])
      expect(texts.get(where), where).toMatch(
        /never sum under|Sum an invoice's under a due filter and call that overdue/,
      );
    for (const where of ["list_invoices.description", "instructions", "openapi.paths./v1/invoices.get.description"])
      expect(texts.get(where), where).toMatch(/whole invoices.*never sum.*aging/);
  });

  it("is asked for without a due filter of the invoice list in every prompt [completions.10.overdue-words]", () => {
    for (const { name, text } of prompts)
      expect(text(name === "customer_statement" ? { customer: "x" } : {}), name).not.toMatch(
        /\bdue_(?:before|after)=|collection_outstanding/,
      );
  });
});

/** `name=value` as a prompt writes arguments of a tool, up to `fields`. */
function argumentsIn(text: string, tool: string): Record<string, string | number | boolean> {
  const [, written = ""] = new RegExp(`Call ${tool} with (.+?) and fields=`).exec(text) ?? [];
  return Object.fromEntries(
    [...written.matchAll(/([a-z_]+)=([^,\s]+)/g)].map(([, name = "", value = ""]) => {
      if (value === "true" || value === "false") return [name, value === "true"];
      return [name, name === "limit" ? Number(value) : value];
    }),
  );
}

const Totals = z.looseObject({ totals: z.array(z.looseObject({ currency: z.string(), overdue: z.string() })) });
const Installments = Totals.extend({
  data: z.array(z.looseObject({ invoice_id: z.string(), currency: z.string(), amount: z.string() })),
  pagination: z.looseObject({ next_cursor: z.null() }),
});
const Invoices = z.looseObject({
  totals: z.array(z.looseObject({ currency: z.string(), overdue_outstanding: z.string() })),
  data: z.array(
    z.looseObject({
      id: z.string(),
      currency: z.string(),
      overdue_outstanding: z.string(),
      has_active_payment_link: z.boolean(),
    }),
  ),
});

describe.each(STORES)("the overdue worklist, done as its prompt says, on $name", ({ open }) => {
  const opened = useStore(open);
  let book: Book;
  let route: Awaited<ReturnType<typeof openAssistantRoute>>;
  let client: Client;
  let linked: string;

  beforeAll(async () => {
    route = await openAssistantRoute(testCore(opened.store, new TestClock("2026-03-10T12:00:00.000Z")));
    book = await openBook(opened.store);
    const customer = await book.customer({ name: "Globex GmbH", number: "1001" });
    const other = await book.customer({ name: "Initech", number: "1002" });
    const late = { collection_due_date: "2026-02-01" };
    const made = await book.invoice({ customer, currency: "USD", has_active_payment_link: true, ...late }, [
      { due_date: "2026-02-01", original_amount: "100.10" },
      { due_date: "2026-03-10", original_amount: "50.00" },
      { due_date: "2026-05-01", original_amount: "200.00" },
    ]);
    linked = made.invoice.invoice_id;
    await book.invoice({ customer: other, currency: "USD", ...late }, [
      { due_date: "2026-02-01", original_amount: "30.00" },
      { due_date: "2026-01-01", original_amount: "7.07", not_collectible_reason: "disputed" },
    ]);
    // All that is overdue of it is disputed: it is on no worklist of what can be collected.
    await book.invoice({ customer: other, currency: "USD", collection_due_date: "2026-06-01" }, [
      { due_date: "2026-01-01", original_amount: "11.00", not_collectible_reason: "disputed" },
      { due_date: "2026-06-01", original_amount: "500.00" },
    ]);
    await book.invoice({ customer, currency: "JPY", ...late }, [
      { due_date: "2026-02-01", original_amount: "1000" },
      { due_date: "2026-04-01", original_amount: "380" },
    ]);
    const { actor } = await connectAssistant(opened.store, book.tenantId);
    client = await route.as(actor);
  });
  afterAll(() => route.close());

  const ask = async (name: string, args: object) =>
    (await client.callTool({ name, arguments: { ...args } })).structuredContent;
  /** Exact sums by currency. */
  const summed = (rows: readonly { currency: string; amount: string }[]): Record<string, string> =>
    Object.fromEntries(
      [...Map.groupBy(rows, (row) => row.currency)].map(([currency, some]) => [
        currency,
        sum(some.map(({ amount }) => money(amount))).toFixed(),
      ]),
    );
  const overdueOf = ({ totals }: z.output<typeof Totals>) =>
    summed(totals.map((one) => ({ ...one, amount: one.overdue })));
  const totalsOf = ({ totals }: z.output<typeof Invoices>) =>
    summed(totals.map((one) => ({ ...one, amount: one.overdue_outstanding })));
  const played = async (given: Record<string, string> = {}) => {
    const { messages } = await client.getPrompt({ name: "overdue_worklist", arguments: given });
    const text = messages[0]?.content.type === "text" ? messages[0].content.text : "";
    const report = Installments.parse(await ask("list_installment_aging", argumentsIn(text, "list_installment_aging")));
    const worklist = Invoices.parse(await ask("list_invoices", argumentsIn(text, "list_invoices")));
    return { text, report, worklist };
  };

  it("comes to what aging says is overdue, to the cent [completions.10.overdue-words] [service.4.10.whole-invoices]", async () => {
    const { report, worklist } = await played();
    const summary = overdueOf(Totals.parse(await ask("summarize_aging", {})));
    expect(summary).toEqual({ JPY: "1000", USD: "148.17" });
    expect(summed(report.data)).toEqual(summary);
    expect(overdueOf(report)).toEqual(summary);
    expect(summed(worklist.data.map((row) => ({ ...row, amount: row.overdue_outstanding })))).toEqual(summary);
    expect(totalsOf(worklist)).toEqual(summary);
    expect(worklist.data.filter((row) => row.has_active_payment_link).map(({ id }) => id)).toEqual([linked]);
  });

  it("does so for a currency, a customer, and what has no link yet [completions.10.overdue-words]", async () => {
    const yen = await played({ currency: "JPY" });
    expect(overdueOf(yen.report)).toEqual({ JPY: "1000" });
    const [row] = (await played()).report.data.filter(({ invoice_id: id }) => id === linked);
    const customer = String(row?.customer_key);
    const globex = await played({ customer });
    expect(overdueOf(globex.report)).toEqual({ JPY: "1000", USD: "100.1" });
    expect(globex.worklist.data).toHaveLength(2);
    const unlinked = await played({ links: "without", currency: "USD" });
    expect(unlinked.text).toContain("Leave out installments of invoices that are not in step 2.");
    expect(totalsOf(unlinked.worklist)).toEqual({ USD: "48.07" });
  });
});
