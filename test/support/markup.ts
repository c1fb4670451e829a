import { HtmlValidate } from "html-validate";
import type { Page, Response } from "playwright-core";

/** A button without a type submits its form, says the standard, and every button here does. */
const validator = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: { "no-implicit-button-type": "off" },
});

const answers = new WeakMap<Page, Response>();

/** Keeps the answers that a page shows, as they were sent: browsers mend what is wrong in them. */
export function keepAnswers(page: Page): Page {
  page.on("response", (response) => {
    const isShown = response.request().isNavigationRequest() && response.frame() === page.mainFrame();
    if (isShown && (response.status() < 300 || response.status() > 399)) answers.set(page, response);
  });
  return page;
}

/** What is wrong with the markup of the page as it was sent. */
export async function wrongMarkup(page: Page): Promise<string[]> {
  const answer = answers.get(page);
  if (answer === undefined) throw new Error("the answers of this page are not kept");
  return faultsOf(await answer.text());
}

/** What is wrong with a document. */
function faultsOf(markup: string): string[] {
  const { results } = validator.validateStringSync(markup);
  const lines = markup.split("\n");
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, line, column }) =>
        `${ruleId}: ${message} at ${(lines[line - 1] ?? "").slice(Math.max(0, column - 40), column + 80)}`,
    ),
  );
}
