/**
 * Takes the README's pictures of the demo, in Chromium: `node docs/pictures.ts` writes `docs/overview.png` and
 * `docs/answer.png`. The demo's amounts depend on the day.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Browser } from "playwright-core";
import { openService } from "../evals/books/book.ts";
import type { Core } from "../src/core/gate/dependencies.ts";
import { listWorkspaces } from "../src/core/workspace/workspaces.ts";
import { html } from "../src/web/kit/html.ts";
import { openAssistantRoute } from "../test/mcp/receivables.ts";
import { launchChromium } from "../test/support/chromium.ts";
import { connectAssistant } from "../test/support/rows.ts";
import { readDemo } from "../test/support/server.ts";
import { showView, viewOf } from "../test/views/support/host.ts";

const COMPANY = "Northwind Trading";
const QUESTION = "What is overdue, and how old is it?";
const TOOL = "summarize_aging";
const SIZE = { width: 1120, height: 820 };

interface Login {
  email: string;
  password: string;
}

async function takeOverview(browser: Browser, url: string, { email, password }: Login): Promise<void> {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: "light" });
  await page.goto(`${url}/signin`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: COMPANY }).waitFor();
  await page.screenshot({ path: join(import.meta.dirname, "overview.png") });
  await page.close();
}

async function takeAnswer(browser: Browser, core: Core): Promise<void> {
  const company = (await listWorkspaces({ core })).find(({ name }) => name === COMPANY);
  const { actor } = await connectAssistant(core.store, company?.id ?? "", { role: "admin" });
  const route = await openAssistantRoute(core);
  const client = await route.as(actor, { showsViews: true });
  const view = await showView(browser, client, (await viewOf(client, TOOL)).html, { context: { theme: "light" } });
  await view.tell({}, CallToolResultSchema.parse(await client.callTool({ name: TOOL, arguments: {} })));
  const shot = await view.frame.locator("main").screenshot();
  await view.close();
  const page = await browser.newPage({ viewport: { ...SIZE, width: 860 }, colorScheme: "light" });
  const chat = html`<style>body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:28px;background:#fff;color:#18202c}
p{margin:0 0 20px auto;width:fit-content;background:#eef1f6;border-radius:16px;padding:10px 18px}img{display:block;max-width:100%}</style>
<p>${QUESTION}</p><img alt="" src="data:image/png;base64,${shot.toString("base64")}">`;
  await page.setContent(chat.text);
  await page.locator("body").screenshot({ path: join(import.meta.dirname, "answer.png") });
  await route.close();
}

const folder = mkdtempSync(join(tmpdir(), "receivables-pictures-"));
const [service, browser] = await Promise.all([openService({ DATA_DIR: folder, DEMO: "on" }), launchChromium()]);
try {
  const login = readDemo(folder).people.find(({ workspace, role }) => workspace === COMPANY && role === "admin");
  if (login === undefined) throw new Error(`the demo has no admin in ${COMPANY}`);
  await takeOverview(browser, service.url, login);
  await takeAnswer(browser, service.core);
} finally {
  await browser.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}
