import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/admin/commands/index.ts";
import { ERRORS } from "../../src/core/kernel/error.ts";
import { money } from "../../src/core/kernel/money.ts";
import { type Description, operationsOf } from "../../src/web/docs/description.ts";
import { GUIDES, sectionsOf } from "../../src/web/docs/guides.ts";
import { curlSample } from "../../src/web/docs/samples.ts";
import { hasProgram } from "../support/programs.ts";
import { type ServerProcess, startServer } from "../support/server.ts";
import { copyDemo, DEMO_KEY } from "../support/stores.ts";
import { type Block, blocksOf, commandsOf, differences, figuresLost, GUIDE_FILES, guideText } from "./guides.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Those that show what a fresh demo answers before those that change it. */
const CHANGING = ["quickstart.md", "retries.md", "sandbox.md"];
const READING_FIRST = [...GUIDE_FILES.filter((file) => !CHANGING.includes(file)), ...CHANGING];
const SAID = "http://localhost:3000";
/** Ends what a command printed; the service never writes it. */
const END = "\u001e";

/** After the program of polling.md, in place of its last line: its second walk is cut off, then something changes. */
const CUT_OFF = `
const send = fetch;
let cut = false;
globalThis.fetch = (url: any, options: any) => {
  const isCut = !cut && String(url).includes("collection_updated_since");
  cut ||= isCut;
  return isCut ? Promise.reject(new Error("cut off")) : send(url, options);
};
await poll().catch(() => undefined);
const invoice: any = [...rows.values()].find((row: any) => row.collection_status === "open" && /[1-9]/.test(row.available_amount));
const part = invoice.installments.find((one: any) => one.collectible && /[1-9]/.test(one.available_amount));
const made = await send("${SAID}/v1/payment-links", {
  method: "POST",
  headers: {
    ...{ Authorization: \`Bearer \${process.env.ADMIN_KEY}\`, "Content-Type": "application/json" },
    "Idempotency-Key": crypto.randomUUID(),
  },
  body: JSON.stringify({ invoice_id: invoice.id, installment_id: part.id, amount_minor: 700 }),
});
await poll();
const again = await poll();
const copy = new Map(rows);
since.clear();
await poll();
const differing = [...rows.entries()].filter(([id, row]) => JSON.stringify(row) !== JSON.stringify(copy.get(id))).map(([id]) => id);
console.log(JSON.stringify({ cut, made: made.status, again, differing }));
`;

describe.skipIf(!hasProgram("curl") || !hasProgram("jq"))("the guides, on the demo", () => {
  let folder: string;
  let server: ServerProcess;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "receivables-guides-"));
    const dataDir = await copyDemo();
    server = await startServer(dataDir, { LOG_LEVEL: "warn", ENCRYPTION_KEY: DEMO_KEY });
    symlinkSync(dataDir, join(folder, "data"));
    for (const name of ["package.json", "src"]) symlinkSync(join(ROOT, name), join(folder, name));
  });
  afterAll(async () => {
    await server.stop();
    rmSync(server.dataDir, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  /** Types commands into one shell; answers what each printed. Fails where one does not end with 0. */
  async function type(commands: readonly string[]): Promise<string[]> {
    const script = commands.map((command) => `${command}\nprintf '${END}'`).join("\n");
    const child = spawn("bash", ["-euo", "pipefail", "-c", script.replaceAll(SAID, server.url)], { cwd: folder });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    const printed = out.split(END);
    const last = printed.pop();
    expect(printed.length, `${commands[printed.length]}\n${last}${err}`).toBe(commands.length);
    return printed;
  }

  const setUp = (): string[] => blocksOf(guideText("quickstart.md")).slice(0, 1).flatMap(commandsOf);

  it.each(READING_FIRST)("%s: every command works, and answers what is shown [completions.13.guides]", async (file) => {
    const blocks = blocksOf(guideText(file));
    for (const { text: program } of blocks.filter(({ language }) => language === "ts")) {
      const [, name] = /^\/\/ (\w+\.ts)$/m.exec(program) ?? [];
      if (name !== undefined) writeFileSync(join(folder, name), program.replaceAll(SAID, server.url));
    }
    const typed = blocks.filter(({ language }) => language === "sh");
    const before = file === "quickstart.md" ? [] : setUp();
    const commands = typed.flatMap((block) => commandsOf(block).map((command) => ({ block, command })));
    const printed = await type([...before, ...commands.map(({ command }) => command)]);
    const printedOf = (block: Block): string[] =>
      printed.slice(before.length).filter((_, index) => commands[index]?.block === block);
    const wrong = blocks.flatMap((block, index) => {
      const asked = blocks[index - 1];
      if (asked?.language !== "sh") return [];
      const lines = printedOf(asked).join("").trim();
      if (block.language === "text" && lines !== block.text.trim()) return [`${file}:${block.line} ${lines}`];
      if (block.language !== "json") return [];
      const answer: unknown = JSON.parse(printedOf(asked).findLast((one) => one !== "") ?? "null");
      const shown: unknown = JSON.parse(block.text);
      const isOnlySuch = /such as\b/.test(asked.intro);
      const found = [...differences(shown, answer), ...(isOnlySuch ? [] : figuresLost(shown, answer))];
      return found.map((one) => `${file}:${block.line} ${one}`);
    });
    expect(wrong).toEqual([]);
  });

  it("reconciliation.md: the totals add up to the cent in every workspace and currency [completions.13.guides.totals]", async () => {
    const blocks = blocksOf(guideText("reconciliation.md"));
    const program = blocks.findIndex(({ text: typed }) => typed.startsWith("// between.ts"));
    const [walk, run] = [blocks[program - 1], blocks[program + 1]];
    if (walk === undefined || run === undefined) throw new Error("the program has a walk before it, and is run after");
    writeFileSync(join(folder, "between.ts"), blocks[program]?.text.replaceAll(SAID, server.url) ?? "");
    const currencies: string[] = [];
    for (const workspace of ["Northwind Trading", "Alpenglow Foods", "Odd Cases"]) {
      const own = setUp().map((command) => command.replace("Northwind Trading", workspace));
      const all = `curl -s "$BASE/v1/invoices?include_total=true&limit=1" -H "Authorization: Bearer $KEY"`;
      const printed = await type([...own, ...commandsOf(walk), all, ...commandsOf(run)]);
      const { totals }: { totals: { currency: string; collection_outstanding: string }[] } = JSON.parse(
        printed.at(-2) ?? "",
      );
      const sums = (printed.at(-1) ?? "")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      const shown = sums.map(({ currency, invoices, adds_up }) => [currency, money(invoices).toFixed(), adds_up]);
      expect(shown.sort(), workspace).toEqual(
        totals.map(({ currency, collection_outstanding: all }) => [currency, money(all).toFixed(), true]).sort(),
      );
      currencies.push(...totals.map(({ currency }) => currency));
    }
    expect(currencies).toEqual(expect.arrayContaining(["CAD", "CHF", "EUR", "JPY", "KWD", "UNKNOWN", "USD"]));
  });

  it("polling.md: a first poll that is cut off between the two walks of invoices loses no change [completions.13.guides]", async () => {
    const text = blocksOf(guideText("polling.md")).find(({ text }) => text.startsWith("// poll.ts"))?.text ?? "";
    const [program = ""] = text.replaceAll(SAID, server.url).split("\nconsole.log(");
    writeFileSync(join(folder, "cut.ts"), program + CUT_OFF.replaceAll(SAID, server.url));
    const [printed = ""] = (await type([...setUp(), "KEY=$KEY ADMIN_KEY=$ADMIN_KEY node cut.ts"])).slice(-1);
    expect(JSON.parse(printed)).toEqual({ cut: true, made: 201, again: 0, differing: [] });
  });

  it("the curl samples of the reference are requests that the service takes [service.9.samples]", async () => {
    const description: Description = JSON.parse(await (await fetch(`${server.url}/openapi.json`)).text());
    const operations = operationsOf(description);
    const samples = operations.map((operation) => `${curlSample(operation, description, SAID)} -s`);
    const keys = samples.flatMap((sample) => /Idempotency-Key: ([^']+)/.exec(sample)?.[1] ?? []);
    expect(new Set(keys).size, "a key for each request").toBe(keys.length);
    // One that no guide has used.
    const own = setUp().map((command) => command.replace("Northwind Trading", "Alpenglow Foods"));
    const printed = (await type([...own, ...samples])).slice(own.length);
    const refused = printed.filter((answer) => {
      const { error }: { error?: { code: string } } = JSON.parse(answer);
      // The examples' ids are of another workspace, and their times of a day gone by.
      return error !== undefined && error.code !== "not_found" && !answer.includes("must be in the future");
    });
    expect(refused).toEqual([]);
  });
});

describe("the guides", () => {
  it("are all served, and every code has its remedy [completions.13.guides]", () => {
    expect(GUIDE_FILES.map((file) => file.replace(".md", "")).sort()).toEqual([...GUIDES].sort());
    const slugs = sectionsOf({ title: "", text: guideText("errors.md") }).map(({ slug }) => slug);
    expect(Object.keys(ERRORS).filter((code) => !slugs.includes(code))).toEqual([]);
  });

  it("name commands of the terminal with every option that they require [completions.13.guides]", () => {
    const texts = GUIDE_FILES.map((file) => guideText(file).replaceAll("\\\n", ""));
    const told = COMMANDS.flatMap(({ name, options }) =>
      texts
        .flatMap((text) => [...text.matchAll(new RegExp(`(?:admin -- |\`)${name}\\b[^\`\\n]*`, "g"))])
        .map(([line]) => ({ line, missing: options.filter((one) => one.isRequired && !line.includes(one.flag)) })),
    );
    expect(told.length).toBeGreaterThan(3);
    expect(told.flatMap(({ line, missing }) => missing.map(({ flag }) => `${line} lacks ${flag}`))).toEqual([]);
  });
});
