import express from "express";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cookie } from "../../src/web/kit/cookies.ts";
import { html } from "../../src/web/kit/html.ts";
import { csvCell, csvLine } from "../../src/web/lists/csv.ts";
import { figuresAsOf } from "../../src/web/lists/list.ts";
import { readCsv } from "../support/csv.ts";
import { listen } from "../support/http.ts";
import { times } from "../support/thorough.ts";

it.each([
  ["=1+1", "'=1+1"],
  ["+49 30", "'+49 30"],
  ["-2+3", "'-2+3"],
  ["--1", "'--1"],
  ["-1e5", "'-1e5"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\tx", "'\tx"],
  ["\rx", `"'\rx"`],
  ["-12.50", "-12.50"],
  ["-7", "-7"],
  ["0.10", "0.10"],
  ['a "b", c', '"a ""b"", c"'],
  ["two\nlines", '"two\nlines"'],
  ["\n=1+1", `"'\n'=1+1"`],
  ["CSV;=1+1;", "CSV;'=1+1;"],
  ['CSV,"=1+1', `"CSV,'""=1+1"`],
  ["CSV\t+1", "CSV\t'+1"],
  ["CSV\r\n @x", `"CSV\r\n' @x"`],
  ["Bolts; nuts, 5 x 3-4 mm", '"Bolts; nuts, 5 x 3-4 mm"'],
  [" =1+1", "' =1+1"],
  ["\u00a0\u3000@SUM(A1)", "'\u00a0\u3000@SUM(A1)"],
  ["\u200b=1+1", "'\u200b=1+1"],
  ["\uff1d1+1", "'\uff1d1+1"],
  ["\uff0b1", "'\uff0b1"],
  ["\uff0d1", "'\uff0d1"],
  ["\uff20x", "'\uff20x"],
  ["a =1+1", "a =1+1"],
  [null, ""],
  [false, "false"],
])("a cell of %j is written as %j [pages.look.csv]", (value, written) => {
  expect(csvCell(value)).toBe(written);
});

/** The cells of a file as a spreadsheet takes them that has this list separator; a quote counts where a cell begins. */
function cellsIn(text: string, separator: string, hasQuotes: boolean): string[] {
  const cells = [""];
  let isQuoted = false;
  let at = 0;
  const add = (more: string): void => void cells.push(`${cells.pop()}${more}`);
  while (at < text.length) {
    const character = text[at] ?? "";
    if (isQuoted && text.startsWith('""', at)) {
      add('"');
      at += 1;
    } else if (isQuoted && character === '"') isQuoted = false;
    else if (isQuoted) add(character);
    else if ([separator, "\r", "\n"].includes(character)) cells.push("");
    else if (character === '"' && hasQuotes && (at === 0 || [separator, "\r", "\n"].includes(text[at - 1] ?? "")))
      isQuoted = true;
    else add(character);
    at += 1;
  }
  return cells;
}

const text = fc.string({ unit: fc.constantFrom(..."=+-@;,\t\r\n\"' a1\uff1d\u200b"), maxLength: 12 });

it("no text makes a formula, at any separator that a spreadsheet cuts the file at [pages.security.formulas]", () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (values) => {
      const line = csvLine(["id", ...values, "-1.50"]);
      for (const separator of [",", ";", "\t"])
        for (const hasQuotes of [true, false])
          for (const cell of cellsIn(line, separator, hasQuotes))
            expect(/^[\s\p{C}]*[=+\-@]/u.test(cell.normalize("NFKC")) && !/^-\d+(\.\d+)?$/.test(cell), cell).toBe(
              false,
            );
    }),
    { numRuns: times(2_000, 50_000) },
  );
});

it("every text is read back, but for the apostrophes before formulas [pages.look.csv]", () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (values) => {
      const names = values.map((_, index) => `c${index}`);
      const [row = {}] = readCsv(csvLine(names) + csvLine(values)).rows;
      const changed = values.filter((one) => /[=+@-]|^[\t\r\n]/.test(one.normalize("NFKC")));
      const plain = (one: string, index: number): string =>
        changed.includes(values[index] ?? "") ? one.replaceAll("'", "") : one;
      expect(names.map((name, index) => plain(row[name] ?? "", index))).toEqual(values.map(plain));
    }),
    { numRuns: times(1_000, 50_000) },
  );
});

it("markup escapes whatever is put in, and nothing twice", () => {
  const name = `<b>"O'Neil" & sons</b>`;
  expect(html`<p title="${name}">${html`<i>${name}</i>`}${[1, null, false, undefined, "&"]}</p>`.text).toBe(
    '<p title="&lt;b&gt;&quot;O&#39;Neil&quot; &amp; sons&lt;/b&gt;"><i>&lt;b&gt;&quot;O&#39;Neil&quot; &amp; sons&lt;/b&gt;</i>1&amp;</p>',
  );
});

async function setCookieOf(publicOrigin: string): Promise<string[]> {
  const session = cookie("session", publicOrigin);
  const app = express().get("/", (_request, response) => {
    session.set(response, "value", 60);
    response.end();
  });
  const { url, close } = await listen(app);
  const lines = (await fetch(url)).headers.getSetCookie();
  await close();
  return lines;
}

describe("cookies", () => {
  it("on https are tied to the host and never sent in the clear [facts.oauth.cookies]", async () => {
    const [line = ""] = await setCookieOf("https://receivables.example.com");
    expect(line).toMatch(/^__Host-session=value; Max-Age=60; Path=\/; Expires=.*; HttpOnly; Secure; SameSite=Lax$/);
  });

  it("on http, as at home, do without", async () => {
    const [line = ""] = await setCookieOf("http://localhost:3000");
    expect(line).toMatch(/^session=value; Max-Age=60; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/);
  });
});

it("says the time of figures once for currencies in which it reads the same [completions.10.as-of-shown]", () => {
  const figures = [
    { currency: "EUR", as_of: "2026-01-01T10:00:59.000Z" },
    { currency: "CHF", as_of: "2026-01-01T10:00:01.000Z" },
  ];
  const at = '<time datetime="2026-01-01T10:00:01.000Z">1\u00a0Jan\u00a02026, 10:00</time>';
  expect(String(figuresAsOf(figures, "UTC"))).toBe(`Figures as of ${at}`);
});
