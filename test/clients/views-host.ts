import { readFileSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Browser, Frame, Page } from "playwright-core";
import { z } from "zod";
import { VIEW_MIME_TYPE, VIEWS_EXTENSION } from "../../src/mcp/views/session.ts";
import { callTool, connectAssistant } from "../support/assistant.ts";
import { launchChromium } from "../support/chromium.ts";
import { collectible } from "../views/support/calls.ts";
import { amountsIn, amountsShown } from "../views/support/figures.ts";
import { viewOf } from "../views/support/host.ts";
import { Context, installedVersion, namesOf, type OtherClient, program } from "./client.ts";

const PACKAGE = "@mcp-elements/core";
const HOST = "https://host.example/";
const VIEW = "https://view.example/";

/** A web page as its package's authors describe a host: a frame of another origin under the policy that they build. */
const HOST_PAGE = `<!doctype html><meta charset="utf-8"><iframe sandbox="allow-scripts allow-same-origin" width="800" height="900"></iframe>
<script type="module">
import { buildAppCsp, buildAppPermissionsAllow, createAppHost } from "/core.js";
const frame = document.querySelector("iframe");
const { csp, permissions } = await told();
globalThis.sizes = [];
globalThis.host = createAppHost({
  postMessage: (message) => frame.contentWindow.postMessage(message, "*"),
  callTool: (name, args) => called(name, args),
  hostContext: { theme: "dark", displayMode: "inline" },
  onSizeChanged: (size) => sizes.push(size),
});
addEventListener("message", ({ source, data }) => { if (source === frame.contentWindow) host.receive(data); });
await framedWith(buildAppCsp(csp));
frame.allow = buildAppPermissionsAllow(permissions);
frame.src = "${VIEW}";
</script>`;

const Meta = z.object({ ui: z.object({ csp: z.object({}), permissions: z.object({}) }) });

/** A view in that host. */
interface Hosted {
  readonly page: Page;
  readonly frame: Frame;
  readonly calls: string[];
}

/** Shows a tool's result, and fails on anything the browser complains about or asks the network for. */
async function hosted(browser: Browser, client: Client, tool: string, args: Record<string, unknown>): Promise<Hosted> {
  const { html, meta } = await viewOf(client, tool);
  const page = await browser.newPage();
  const [calls, wrong]: [string[], string[]] = [[], []];
  let policy = "";
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url === HOST) return route.fulfill({ contentType: "text/html", body: HOST_PAGE });
    if (url === `${HOST}core.js`)
      return route.fulfill({ contentType: "text/javascript", body: readFileSync(program(`${PACKAGE}/dist/index.js`)) });
    if (url === VIEW)
      return route.fulfill({ contentType: "text/html", headers: { "content-security-policy": policy }, body: html });
    wrong.push(`asked for ${url}`);
    return route.abort();
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  await page.exposeFunction("told", () => Meta.parse(meta).ui);
  await page.exposeFunction("framedWith", (csp: string) => {
    policy = csp;
  });
  await page.exposeFunction("called", async (name: string, given: Record<string, unknown>) => {
    calls.push(name);
    return CallToolResultSchema.parse(await client.callTool({ name, arguments: given }));
  });
  await page.goto(HOST);
  await page.waitForFunction(`globalThis.host?.status === "ready"`);
  const result = CallToolResultSchema.parse(await client.callTool({ name: tool, arguments: args }));
  await page.evaluate(`host.sendToolInput(${JSON.stringify(args)}); host.sendToolResult(${JSON.stringify(result)})`);
  const frame = page.frames().find((one) => one !== page.mainFrame());
  if (frame === undefined) throw new Error("no frame");
  await frame.getByRole("heading", { level: 1 }).waitFor();
  const [shown, answered] = [await amountsShown(frame), amountsIn(result.structuredContent)];
  if (shown.join() !== answered.join()) throw new Error(`${tool}: ${shown} are shown, ${answered} were answered`);
  if (wrong.length > 0) throw new Error(`${tool}: ${wrong.join("; ")}`);
  return { page, frame, calls };
}

/** A payment link withdrawn by its button: asked first, and called once however often it is pressed. */
async function withdraw({ page, frame, calls }: Hosted): Promise<void> {
  await frame.getByRole("button", { name: "Withdraw…" }).click();
  await page.waitForTimeout(500);
  await frame.getByRole("button", { name: "Withdraw link" }).dblclick();
  await frame.getByText("Withdrawn").waitFor();
  const acts = calls.filter((name) => name !== "get_context").join();
  if (acts !== "deactivate_payment_link") throw new Error(`the view called ${acts}`);
}

/** Ends a view as hosts do: it has to answer, and to have said how much room it takes. */
async function end({ page }: Hosted): Promise<void> {
  const started = performance.now();
  await page.evaluate(`host.requestTeardown("done", { timeoutMs: 10000 })`);
  if (performance.now() - started > 9_000) throw new Error("the view did not answer when it was to end");
  if (z.number().parse(await page.evaluate("sizes.length")) === 0) throw new Error("the view did not tell its size");
  await page.close();
}

/** A host of views that shares no code with the official one. */
export const viewsHost: OtherClient = {
  name: `${PACKAGE} (views)`,
  async check({ mcpUrl, approve }) {
    const extensions = { [VIEWS_EXTENSION]: { mimeTypes: [VIEW_MIME_TYPE] } };
    const { client, close } = await connectAssistant(mcpUrl, approve, "Views", { extensions });
    const browser = await launchChromium();
    try {
      const reads = [
        "summarize_aging",
        "list_customer_aging",
        "list_installment_aging",
        "list_invoices",
        "list_payments",
      ];
      for (const tool of reads) await end(await hosted(browser, client, tool, {}));
      const [first] = await collectible(client);
      const links = { links: [first], idempotency_key: "views-host" };
      const made = await hosted(browser, client, "create_payment_links", links);
      await withdraw(made);
      await end(made);
    } finally {
      await browser.close();
    }
    const tools = namesOf(await client.listTools());
    const context = Context.parse(await callTool(client, "get_context"));
    await close();
    const remark = "all views shown, their amounts as answered, and a payment link withdrawn once by a double click";
    return { version: installedVersion(PACKAGE), tools, context, remark };
  },
};
