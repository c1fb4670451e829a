import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import PostalMime, { type Email } from "postal-mime";
import { expect } from "vitest";
import { formatMoney, money, sum } from "../../src/core/kernel/money.ts";
import { picture } from "../support/looks.ts";
import { openedBySpreadsheet } from "../support/workbook.ts";

interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export const ADA: Person = {
  name: "Ada Lovelace",
  email: "ada@contoso.example",
  password: "correct horse battery staple",
};
export const GRACE: Person = {
  name: "Grace Hopper",
  email: "grace@contoso.example",
  password: "a nanosecond of wire in hand",
};

/** What a page says below its navigation. */
export const main = async (page: Page): Promise<string> =>
  (await page.locator("main").innerText()).replace(/\s+/g, " ");
/** Presses the button of that name. */
export const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
/** Follows the first link of that name. */
export const follow = (page: Page, name: string | RegExp) =>
  page.getByRole("link", { name, exact: true }).first().click();

/** Looks again until the page says it, as somebody would who waits for it. */
export async function reads(page: Page, words: string | RegExp): Promise<string> {
  await expect
    .poll(
      async () => {
        const text = await main(page);
        const isThere = typeof words === "string" ? text.includes(words) : words.test(text);
        if (!isThere) await page.reload();
        return text;
      },
      { interval: 200 },
    )
    .toMatch(words);
  return main(page);
}

/** The mails to an address, once there are that many. */
export async function mailsTo(dataDir: string, address: string, many = 1): Promise<Email[]> {
  const outbox = join(dataDir, "outbox");
  const read = async () => {
    const files = readdirSync(outbox).filter((name) => name.endsWith(".eml"));
    const mails = await Promise.all(files.map((name) => PostalMime.parse(readFileSync(join(outbox, name)))));
    return mails.filter(({ to }) => to?.some((one) => one.address === address));
  };
  await expect.poll(async () => (await read().catch(() => [])).length).toBe(many);
  return read();
}

/** Opens a mail as a mail program would, and follows a link of it. */
export async function openInMail(page: Page, mail: Email | undefined, link: string | RegExp): Promise<void> {
  await page.setContent(mail?.html ?? "");
  await picture(page, `day-mail-${mail?.subject?.replace(/\W+/g, "-").slice(0, 40)}`);
  await page.getByRole("link", { name: link }).first().click();
  await page.locator("main").waitFor();
}

/** Signs in with a password. */
export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await press(page, "Sign in");
  await page.getByRole("navigation", { name: "Main" }).waitFor();
}

/** What a list's page shows as outstanding, and what a spreadsheet adds up in its workbook; of each currency. */
export async function addUp(page: Page) {
  const totals = page.locator("table.totals [data-label=Outstanding] data");
  const shown = await totals.evaluateAll((all) => all.map((one) => one.getAttribute("value")));
  const waiting = page.waitForEvent("download");
  await follow(page, "Download Excel");
  const { rows } = openedBySpreadsheet(readFileSync(await (await waiting).path()));
  const added = [...Map.groupBy(rows, ({ Currency }) => Currency ?? "")].map(([currency, own]) =>
    formatMoney(sum(own.map((row) => money(row.Outstanding ?? ""))), currency),
  );
  return { shown: shown.sort(), added: added.sort() };
}
