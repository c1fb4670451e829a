import { Router } from "express";
import { describe, expect, it } from "vitest";
import { formatMoney, MONEY_PATTERN, money, sum } from "../../src/core/kernel/money.ts";
import { members } from "../../src/web/kit/doors.ts";
import { serving } from "../../src/web/kit/routes.ts";
import { Site } from "../../src/web/kit/site.ts";
import { sendFile } from "../../src/web/lists/download.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { fieldOfHead } from "../support/csv.ts";
import { hurtfulBook, valueInRow } from "../support/hurtful-book.ts";
import { hasProgram } from "../support/programs.ts";
import { askedOfApi, SHOWN_LISTS } from "../support/receivables-pages.ts";
import { A_STORE } from "../support/thorough.ts";
import { openedBySpreadsheet, readWorkbook, type StoredCell } from "../support/workbook.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/** Names of the fields that are money. */
const AMOUNT = /amount|outstanding|overdue$|balance|collected|current|days_\d|over_90|expected|refunded/;

/** Texts that hurt, and what a spreadsheet shows of them. */
const TEXTS: readonly (readonly [given: string, shown: string])[] = [
  ["=1+1", "=1+1"],
  ["-2+3", "-2+3"],
  ["0012", "0012"],
  ["7".repeat(40), "7".repeat(40)],
  ["2026-11-26", "2026-11-26"],
  ["TRUE", "TRUE"],
  ["👩‍🚀 Zoë", "👩‍🚀 Zoë"],
  ["<b>&amp;]]></b>", "<b>&amp;]]></b>"],
  ["  spaces ", "  spaces "],
  ["one\r\ntwo\tthree", "one\ntwo\tthree"],
  ["a\u0000b\u001bc\u0085d", "a\ufffdb\ufffdc\ufffdd"],
  ["\ufffe|\uffff", "\ufffd|\ufffd"],
  ["\ud83d|\ude00", "\ufffd|\ufffd"],
  ["_x0041_ _x00e9_", "_x0041_ _x00e9_"],
  ["y".repeat(40_000), `${"y".repeat(32_766)}…`],
  [`${"z".repeat(32_765)}😀 cut`, `${"z".repeat(32_765)}\ufffd…`],
];
/** Amounts and days, and how they are stored: what a number would not hold exactly is text. */
const VALUES: readonly (readonly [amount: string, day: string, StoredCell, StoredCell])[] = [
  ["1250.50", "2026-11-26", number("1250.5", "#,##0.00"), number("46352", "yyyy-mm-dd")],
  ["-0.10", "1900-03-01", number("-0.1", "#,##0.00"), number("61", "yyyy-mm-dd")],
  ["1250", "1900-02-28", number("1250", "#,##0"), text("1900-02-28")],
  ["9999999999999.99", "9999-12-31", number("9999999999999.99", "#,##0.00"), number("2958465", "yyyy-mm-dd")],
  ["10000000000000.01", "0001-01-01", text("10000000000000.01"), text("0001-01-01")],
  ["1.00; 2.00", "no day", text("1.00; 2.00"), text("no day")],
];
const HURTFUL = "/test/hurtful";

function number(value: string, format: string): StoredCell {
  return { type: "n", format, text: value };
}

function text(value: string): StoredCell {
  return { type: "inlineStr", format: "", text: value };
}

describe.each(A_STORE)("workbooks of lists on $name", ({ open }) => {
  const site = useAuthApp(open, {
    beside(core, publicOrigin) {
      const data = [...TEXTS.map(([given]) => ({ text: given })), ...VALUES.map(([amount, day]) => ({ amount, day }))];
      const columns = [
        { name: "text", path: ["text"] },
        { name: "amount", path: ["amount"], holds: "amount" },
        { name: "day", path: ["day"], holds: "day" },
      ] as const;
      const read = async () => ({ data, pagination: { next_cursor: null } });
      const routes = members.files(HURTFUL, (visit) => sendFile(visit, { name: "a/hurtful", columns, read }));
      return Router().use(serving(new Site(core, publicOrigin), [{ routes }]));
    },
  });

  async function openFile(session: string, path: string) {
    const response = await fetch(`${site.app.origin}${path}.xlsx`, { headers: { cookie: `session=${session}` } });
    expect([response.status, response.headers.get("content-type")], path).toEqual([200, XLSX]);
    return { headers: response.headers, file: new Uint8Array(await response.arrayBuffer()) };
  }

  async function bookAndSession() {
    const { book, email } = await hurtfulBook(site.app);
    return { book, session: (await site.app.signedIn(email)).cookie("session") ?? "" };
  }

  it("hold what the API answers: amounts, days and times as numbers, all else as texts [pages.look.workbooks]", async () => {
    const { book, session } = await bookAndSession();
    const kinds = new Set<string>();
    for (const list of SHOWN_LISTS) {
      const api = await askedOfApi(site.app.core, book.reader, list, {});
      const { headers, file } = await openFile(session, list.path);
      expect(headers.get("content-disposition"), list.path).toMatch(
        /^attachment; filename=[a-z-]+-\d{4}-\d\d-\d\d\.xlsx$/,
      );
      expect(headers.get("x-total-count"), list.path).toBe(api.count === undefined ? null : String(api.count));
      const { heads, rows, xml } = readWorkbook(file);
      expect(rows.length, list.path).toBe(api.rows.length);
      expect(xml, list.path).not.toContain("<f");
      // A day that the file alone has.
      for (const head of heads.filter((one) => one !== "Paid date")) {
        const name = fieldOfHead(head);
        const expected = api.rows.map((row) => shownAs(name, valueInRow(row, name)));
        expect(
          rows.map((row) => row[head] ?? null),
          `${list.path} ${head}`,
        ).toEqual(expected);
        for (const cell of expected) if (cell !== null) kinds.add(`${cell.type} ${cell.format}`);
      }
    }
    const formats = ["#,##0", "#,##0.00", "#,##0.000", "yyyy-mm-dd", "yyyy-mm-dd hh:mm", ""].map((one) => `n ${one}`);
    expect([...kinds].sort()).toEqual([...formats, "b ", "inlineStr "].sort());
  });

  it("keep texts as they are, and of numbers and days what is exact [pages.look.workbooks]", async () => {
    const { browser } = await site.app.newcomer();
    const { file } = await openFile(browser.cookie("session") ?? "", HURTFUL);
    const { rows, xml } = readWorkbook(file);
    expect(xml).not.toMatch(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u);
    expect(rows).toEqual([
      ...TEXTS.map(([, shown]) => ({ Text: text(shown) })),
      ...VALUES.map(([, , amount, day]) => ({ Amount: amount, Day: day })),
    ]);
  });

  describe.skipIf(!hasProgram("ssconvert"))("opened by a spreadsheet", () => {
    it("add up to the API's totals [pages.look.workbooks]", async () => {
      const { book, session } = await bookAndSession();
      const compared = [];
      for (const list of SHOWN_LISTS.filter(
        ({ ofTotal }) => ofTotal.includes("outstanding") || ofTotal.includes("amount"),
      )) {
        const { totals } = await askedOfApi(site.app.core, book.reader, list, {});
        const { rows } = openedBySpreadsheet((await openFile(session, list.path)).file);
        for (const total of totals) {
          const currency = String(total.currency);
          // Those of more digits than a number has are texts.
          if (currency === "JPY") continue;
          const [name = ""] = list.ofTotal;
          const head = list.path === "/installments" ? "Outstanding" : capital(name);
          const own = rows.filter((row) => row.Currency === currency).map((row) => money(row[head] ?? ""));
          compared.push([list.path, currency, formatMoney(sum(own), currency), String(total[name])]);
        }
      }
      expect(compared.length).toBeGreaterThan(6);
      expect(compared.map(([path, currency, of]) => [path, currency, of])).toEqual(
        compared.map(([path, currency, , total]) => [path, currency, total]),
      );
    });

    it("are read to their end, with texts that hurt [pages.look.workbooks]", async () => {
      const { browser } = await site.app.newcomer();
      const { rows } = openedBySpreadsheet((await openFile(browser.cookie("session") ?? "", HURTFUL)).file);
      const seen = rows.slice(0, TEXTS.length).map((row) => row.Text?.replaceAll("_x005F_", "_"));
      expect(seen).toEqual(TEXTS.map(([, shown]) => shown));
      expect(rows.length).toBe(TEXTS.length + VALUES.length);
    });
  });
});

/** What a workbook has of a value of the API; null where it has no cell. */
function shownAs(name: string, value: unknown): StoredCell | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "number") return number(String(value), "");
  if (typeof value === "boolean") return { type: "b", format: "", text: value ? "1" : "0" };
  const given = String(value);
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d):\d\d.\d{3}Z)?$/.exec(given) ?? [];
  if (day !== undefined) return number(String(daysSince1900(day, time)), `yyyy-mm-dd${time ? " hh:mm" : ""}`);
  if (!AMOUNT.test(name) || !MONEY_PATTERN.test(given) || given.length > 16) return text(given.replace(/\r\n/g, "\n"));
  const decimals = given.split(".")[1]?.length ?? 0;
  return number(String(Number(given)), decimals === 0 ? "#,##0" : `#,##0.${"0".repeat(decimals)}`);
}

function daysSince1900(day: string, time = "00:00"): number {
  return (Date.parse(`${day}T${time}:00Z`) - Date.parse("1899-12-30T00:00:00Z")) / 86_400_000;
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
