import type { Browser, Page } from "playwright-core";
import { keepAnswers } from "./markup.ts";
import { PASSWORD } from "./people.ts";

/** A page of a browser's own, on which a person has signed in. */
export async function signedInPage(browser: Browser, origin: string, email: string): Promise<Page> {
  const page = keepAnswers(await (await browser.newContext()).newPage());
  await page.goto(`${origin}/signin`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  return page;
}
