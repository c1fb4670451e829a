import { describe, expect, it } from "vitest";
import type { Command } from "../../src/admin/command.ts";
import { COMMANDS, NOUNS } from "../../src/admin/commands/index.ts";
import { optionNamed } from "../../src/admin/options.ts";
import { render } from "../../src/admin/render.ts";
import { terminalTo } from "./support.ts";

function commandOf(name: string): Command {
  const found = COMMANDS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no command ${name}`);
  return found;
}

describe("options of commands", () => {
  it("are each described as themselves, never as another that shares their schema [contract.admin.faults]", () => {
    const aboutOf = (name: string, field: string) => commandOf(name).options.find((one) => one.field === field)?.about;
    expect(aboutOf("api-key revoke", "id")).toContain("api-key list");
    expect(aboutOf("attention resolve", "id")).toContain("attention list");
  });
});

describe("errors at the terminal", () => {
  it.each([
    ["payment settle-by-hand", "receiptNumber", "--receipt-number"],
    ["payment retry", "paymentId", "--payment"],
    ["erp connect", "username", "--user"],
    ["erp connect", "password", "--password-stdin"],
    ["erp set", "intervalMinutes", "--interval"],
    ["erp set", "paymentPushMode", "--push-mode"],
    ["erp set", "connectionId", "--connection"],
    ["integration connect", "secretKey", "--secret-key-stdin"],
    ["integration connect", "keys.webhookSecret", "--secret-key-stdin"],
    ["integration rotate-webhook-secret", "webhookSecret", "--webhook-secret-stdin"],
    ["customer email", "customerId", "--customer"],
    ["invoice create", "installments[0].amount", "--installment"],
    ["workflow enable", "customers[2]", "--customer"],
    ["workspace list", "somethingElse", "the something else"],
  ])("of %s name %s as people type it: %s [contract.admin.faults]", (command, field, option) => {
    expect(optionNamed(commandOf(command).options, field)).toBe(option);
  });

  it("name each option once, a line each [contract.admin.faults]", async () => {
    const details = [
      { field: "username", message: "must not be empty" },
      { field: "pullFrom", message: "must be a day that exists" },
    ];
    const line = "erp connect --workspace W --provider oracle_fusion --url https://x.example --user U --password-stdin";
    const refusedWith = async (message: string | null) =>
      (await terminalTo(async () => ({ refusal: { message, details } }))(line, "p\n")).err;
    expect(await refusedWith(null)).toBe(
      "error: --user must not be empty.\nerror: --pull-from must be a day that exists.\n",
    );
    expect(await refusedWith("There are two.")).toBe(
      "error: There are two. --user must not be empty. --pull-from must be a day that exists.\n",
    );
  });
});

describe("the terminal", () => {
  it("shows control characters and turned lines by their codes, in tables, JSON and errors [contract.admin.controls]", async () => {
    const name = "U\u001B]0;pwn\u0007\u001B[31m\u009B2J\u202EX";
    const shown = "U\\u001b]0;pwn\\u0007\\u001b[31m\\u009b2J\\u202eX";
    const answer = { result: [{ name }], shown: [name], note: name, failure: null, unchanged: false };
    const terminal = terminalTo(async () => answer);
    expect(await terminal("workspace list")).toMatchObject({ out: `${shown}\n`, err: `${shown}\n` });
    expect((await terminal("workspace list --json")).out).toContain(shown);
    const refused = terminalTo(async () => ({ refusal: { message: `Connected as ${name}.`, details: [] } }));
    expect((await refused("workspace list")).err).toBe(`error: Connected as ${shown}.\n`);
  });
});

describe("the help at the terminal", () => {
  const levels = ["", ...Object.keys(NOUNS), ...COMMANDS.map(({ name }) => name)];

  it.each([undefined, 80, 200])(
    "fits a terminal of %s columns, at every level [contract.admin.help]",
    async (columns) => {
      for (const level of levels) {
        const { out } = await terminalTo(
          () => Promise.reject(new Error("not to be sent")),
          columns,
        )(`${level} --help`.trim());
        const longest = Math.max(...out.split("\n").map((line) => line.length));
        expect(longest, `${level} --help`).toBeLessThanOrEqual(Math.min(columns ?? 80, 100));
        expect(out).toContain("Usage: npm run admin --");
      }
    },
  );
});

describe("results at the terminal", () => {
  const ROWS = [
    { id: "dc06e423-9869-4983-aee4-3b3494bc03c7", status: "connected", currencies: ["CAD", "EUR"], since: null },
    { id: "d661096c-9779-4d15-99eb-eb757f812330", status: "disconnected", currencies: [], since: "2026-11-01" },
  ];

  it("a list is a table where it fits, and a row below the other where the terminal is narrower [contract.admin.tables]", () => {
    const table = render(ROWS, 120);
    expect(table).toBe(render(ROWS));
    expect(table.split("\n")).toEqual([
      "id                                    status        currencies  since",
      "dc06e423-9869-4983-aee4-3b3494bc03c7  connected     CAD, EUR    –",
      "d661096c-9779-4d15-99eb-eb757f812330  disconnected  –           2026-11-01",
    ]);
    const narrow = render(ROWS, 60);
    expect(narrow.split("\n").every((line) => line.length <= 60)).toBe(true);
    expect(narrow.split("\n\n")).toHaveLength(2);
    expect(narrow).toContain("id          d661096c-9779-4d15-99eb-eb757f812330\nstatus      disconnected");
    expect(render([], 10)).toBe("none");
  });

  it("show money in one way, and never JSON [contract.admin.money]", () => {
    const seen = { amount: "1234.5", currency: "USD", state: "applied" };
    expect(render({ id: "p", in_the_erp: seen, parts: [seen, { ...seen, amount: null }], none: [] })).toBe(
      [
        "id          p",
        "in_the_erp  amount 1,234.50 USD, state applied",
        "parts       amount 1,234.50 USD, state applied; amount –, state applied",
        "none        –",
      ].join("\n"),
    );
    const rows = [
      { amount: null, currency: "USD", refunded: null, number: "1000" },
      { amount: "1250000", currency: "JPY", refunded: "3", number: "1000" },
    ];
    expect(render(rows)).toBe(
      "amount         refunded  number\n–              –         1000\n1,250,000 JPY  3 JPY     1000",
    );
    expect(render([{ id: "a", what: "one\ntwo" }])).toBe("id    a\nwhat  one\n      two");
  });
});
