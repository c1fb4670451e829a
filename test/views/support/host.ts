import { AppBridge } from "@modelcontextprotocol/ext-apps/app-bridge";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type CallToolResult, CallToolResultSchema, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Browser, Frame, Page } from "playwright-core";
import { z } from "zod";

const HOST_INFO = { name: "Test host", version: "1.0.0" };
const ORIGIN = "https://host.example";

/** What a view asked its host to call, and what it was answered. */
export interface Called {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/** What a host says of itself; the package's own type cannot be resolved from its declarations. */
export interface HostContext {
  theme?: "light" | "dark";
  locale?: string;
  styles?: { variables: Record<string, string> };
  safeAreaInsets?: { top: number; right: number; bottom: number; left: number };
}

/** A view in a browser, in the sandbox that hosts give it, joined to the official bridge of hosts. */
export interface ShownView {
  readonly page: Page;
  readonly frame: Frame;
  readonly bridge: AppBridge;
  readonly html: string;
  /** The tool calls that the view made, in order. */
  readonly calls: Called[];
  /** Every message of the view to its host. */
  readonly messages: unknown[];
  /** Every request that left the browser, the host's own page left out. */
  readonly requests: string[];
  /** What the browser complained about: errors of the script, and what the policy refused. */
  readonly complaints: string[];
  /** Sends the tool's arguments and result; answers when the view has painted them, in milliseconds. */
  tell(args: Record<string, unknown>, result: CallToolResult): Promise<number>;
  close(): Promise<void>;
}

export interface ShowOptions {
  readonly context?: HostContext;
  readonly width?: number;
  /** Answers tool calls in place of the client. */
  readonly onCall?: (called: Called) => Promise<CallToolResult>;
  /** Whether the host lets views call tools. */
  readonly callsTools?: boolean;
}

/** The host's page: a sandboxed frame, and messages passed on both ways. It measures until the frame has painted. */
const HOST_PAGE = `<!doctype html><meta charset="utf-8"><style>body{margin:0}iframe{border:0;width:100%;height:100vh;display:block}</style>
<iframe sandbox="allow-scripts" allow="clipboard-write"></iframe>
<script>
const frame = document.querySelector("iframe");
addEventListener("message", ({ source, data }) => { if (source === frame.contentWindow) fromView(JSON.stringify(data)); });
globalThis.toView = (data) => frame.contentWindow.postMessage(data, "*");
globalThis.load = (html) => { frame.srcdoc = html; };
</script>`;

/** Passes messages between the bridge, which runs here, and the frame. */
class PageTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** As they came. */
  readonly received: unknown[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async start(): Promise<void> {
    await this.#page.exposeFunction("fromView", (text: string) => {
      this.received.push(JSON.parse(text));
      this.onmessage?.(JSONRPCMessageSchema.parse(JSON.parse(text)));
    });
  }

  async send(message: unknown): Promise<void> {
    await this.#page.evaluate(`toView(${JSON.stringify(message)})`);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}

/** The document of a tool's view, as a host finds it: by the tool's metadata. */
export async function viewOf(client: Client, tool: string): Promise<{ uri: string; html: string; meta: unknown }> {
  const { tools } = await client.listTools();
  const meta = z
    .object({ ui: z.object({ resourceUri: z.string() }) })
    .parse(tools.find(({ name }) => name === tool)?._meta);
  const { contents } = await client.readResource({ uri: meta.ui.resourceUri });
  const [content] = contents;
  if (content === undefined || !("text" in content)) throw new Error("no document");
  return { uri: content.uri, html: content.text, meta: content._meta };
}

/** Shows a document as a host does. */
export async function showView(
  browser: Browser,
  client: Client,
  html: string,
  { context = {}, width = 800, onCall, callsTools = true }: ShowOptions = {},
): Promise<ShownView> {
  const colorScheme = context.theme === "dark" ? "dark" : "light";
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const [calls, requests, complaints]: [Called[], string[], string[]] = [[], [], []];
  await page.route("**/*", async (route) => {
    const url = route.request().url();
    if (url === `${ORIGIN}/`) return route.fulfill({ contentType: "text/html", body: HOST_PAGE });
    requests.push(url);
    return route.abort();
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  const bridge = new AppBridge(null, HOST_INFO, callsTools ? { serverTools: {} } : {}, { hostContext: context });
  bridge.oncalltool = async ({ name, arguments: args = {} }) => {
    calls.push({ name, args });
    if (onCall !== undefined) return onCall({ name, args });
    return CallToolResultSchema.parse(await client.callTool({ name, arguments: args }));
  };
  const initialized = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  const transport = new PageTransport(page);
  await page.goto(`${ORIGIN}/`).catch(() => undefined);
  await bridge.connect(transport);
  await page.evaluate(`load(${JSON.stringify(html)})`);
  await initialized;
  const frame = page.frames().find((one) => one !== page.mainFrame());
  if (frame === undefined) throw new Error("no frame");
  return {
    ...{ page, frame, bridge, html, calls, requests, complaints, messages: transport.received },
    async tell(args, result) {
      await frame.evaluate(PAINT_WATCH);
      await bridge.sendToolInput({ arguments: args });
      await bridge.sendToolResult(result);
      return z.number().parse(await frame.evaluate("painted"));
    },
    async close() {
      await transport.close();
      await page.close();
    },
  };
}

/** From the arrival of the result to the second frame after it: by then what it led to is on the screen. */
const PAINT_WATCH = `globalThis.painted = new Promise((resolve) => {
  addEventListener("message", ({ data }) => {
    if (data.method !== "ui/notifications/tool-result") return;
    const start = performance.now();
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)));
  }, { capture: true });
}); undefined`;
