import type { BrowserPage } from "./browser.ts";

/** The amounts that markup shows. */
export const amountsOf = (markup: string): string[] =>
  [...markup.matchAll(/<data class="amount[^"]*" value="([^"]*)"/g)].map(([, value = ""]) => value);
/** The addresses of its links. */
export const hrefsOf = (markup: string): string[] =>
  [...markup.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));

/** The first amounts of a list's totals. */
export function totalOf(page: BrowserPage): string[] {
  return amountsOf(/<table class="rows totals[^"]*">([\s\S]*?)<\/table>/.exec(page.html)?.[1] ?? "");
}
