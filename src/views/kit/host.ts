import { takeContext } from "./context.ts";
import { button, type Child, problem, show, showWaiting } from "./dom.ts";
import { type Fields, isFields, textField } from "./fields.ts";

/** A call that failed. */
export class CallError extends Error {
  /** A code of the service's list of errors; null if the host failed, so that the outcome is unknown. */
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

/** How a view handles messages of its host. */
interface View {
  readonly name: string;
  /** Shown until there is a result. */
  readonly waiting: string;
  /** The arguments of the call whose result will be shown. */
  onInput?(args: Fields): void;
  /** The data of a call that succeeded, and its arguments but the cursor. What it throws is shown as a failure. */
  onResult(data: Fields, args: Fields): void | Promise<void>;
  /** In place of showing its message. */
  onFailure?(failure: CallError): void;
}

/** The host's answer to the view, before which nothing is shown, and what it says that the host can do. */
let greeting: Promise<unknown> | undefined;
let capabilities: unknown;
let input: Fields = {};

/** The assistant's application around the view. */
export const host = {
  /** Whether views may call tools through it. */
  get callsTools(): boolean {
    return isFields(capabilities) && isFields(capabilities.serverTools);
  },

  /** Calls a tool as the person's connection. Throws CallError. */
  async call(tool: string, args: Fields): Promise<Fields> {
    return dataOf(await ask("tools/call", { name: tool, arguments: args }));
  },
};

const PROTOCOL_VERSION = "2026-01-26";
const METHOD_NOT_FOUND = -32601;

interface Pending {
  resolve(result: unknown): void;
  reject(error: CallError): void;
}

const pending = new Map<number, Pending>();
let lastId = 0;

function post(message: Fields): void {
  // A view does not know its host's origin, and has no data but what the host sent.
  window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

function ask(method: string, params: Fields): Promise<unknown> {
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject });
    post({ id, method, params });
  });
}

/** The data of a tool's result: hosts pass on structured content, or only the text. */
function dataOf(result: unknown): Fields {
  const fields = isFields(result) ? result : {};
  const parts = Array.isArray(fields.content) ? fields.content : [];
  const text = parts.map((part) => textField(part, "text") ?? "").join("");
  const data: unknown = isFields(fields.structuredContent) ? fields.structuredContent : parsed(text);
  if (fields.isError !== true && isFields(data)) return data;
  const error = isFields(data) && isFields(data.error) ? data.error : {};
  const details = Array.isArray(error.details) ? error.details : [];
  const named = details.map((one) => ` ${textField(one, "field")}: ${textField(one, "message")}.`).join("");
  throw new CallError(
    `${textField(error, "message") ?? (text || "The call failed.")}${named}`,
    textField(error, "code") ?? null,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function onResponse({ id, result, error }: Fields): void {
  const waiting = typeof id === "number" ? pending.get(id) : undefined;
  if (waiting === undefined) return;
  pending.delete(Number(id));
  if (error === undefined) waiting.resolve(result);
  else waiting.reject(new CallError(textField(error, "message") ?? "The assistant could not make the call.", null));
}

function onNotification(view: View, method: unknown, params: Fields): void {
  if (method === "ui/notifications/tool-input") void takeInput(view, params.arguments);
  else if (method === "ui/notifications/host-context-changed") takeContext(params);
  else if (method === "ui/notifications/tool-cancelled")
    fail(view, new CallError("The call was cancelled. Whether it was carried out is not known.", null));
  else if (method === "ui/notifications/tool-result") void showResult(view, params);
}

async function takeInput(view: View, args: unknown): Promise<void> {
  const { cursor, ...first } = isFields(args) ? args : {};
  input = first;
  await greeting;
  view.onInput?.(input);
}

async function showResult(view: View, result: Fields): Promise<void> {
  try {
    await greeting;
    await view.onResult(dataOf(result), input);
  } catch (error) {
    fail(view, asCallError(error));
  }
}

function fail(view: View, failure: CallError): void {
  if (view.onFailure) view.onFailure(failure);
  else show([problem(failure.message)]);
}

/** Any failure as an error that can be shown. */
export function asCallError(error: unknown): CallError {
  return error instanceof CallError ? error : new CallError("The answer cannot be shown here.", null);
}

function listen(view: View): void {
  window.addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || !isFields(data) || data.jsonrpc !== "2.0") return;
    const { id, method } = data;
    if (method === undefined) onResponse(data);
    else if (id === undefined) onNotification(view, method, isFields(data.params) ? data.params : {});
    else if (method === "ping" || method === "ui/resource-teardown") post({ id, result: {} });
    else post({ id, error: { code: METHOD_NOT_FOUND, message: "Method not found" } });
  });
}

/** Tells the host how much room the view takes, whenever that changes. */
function reportSize(): void {
  let last = "";
  const tell = (): void => {
    const size = { width: window.innerWidth, height: Math.ceil(document.body.getBoundingClientRect().height) };
    if (JSON.stringify(size) === last) return;
    last = JSON.stringify(size);
    post({ method: "ui/notifications/size-changed", params: size });
  };
  new ResizeObserver(tell).observe(document.body);
}

/** Connects to the host that shows the view (MCP Apps). */
export async function join(view: View): Promise<void> {
  listen(view);
  showWaiting(view.waiting);
  const appInfo = { name: `receivables-${view.name}`, version: "1" };
  const appCapabilities = { availableDisplayModes: ["inline", "fullscreen"] };
  greeting = ask("ui/initialize", { appInfo, appCapabilities, protocolVersion: PROTOCOL_VERSION });
  const answer = await greeting;
  const { hostContext, hostCapabilities } = isFields(answer) ? answer : {};
  capabilities = hostCapabilities;
  takeContext(hostContext);
  post({ method: "ui/notifications/initialized", params: {} });
  reportSize();
}

/** A call whose answer replaces what is shown. */
interface Opening {
  readonly tool: string;
  readonly args: Fields;
  readonly waiting: string;
  draw(answer: Fields): void | Promise<void>;
  back?(): void;
}

/** After two clicks, the last one wins. */
let lastOpening = 0;
export async function openLatest(opening: Opening): Promise<void> {
  lastOpening += 1;
  const own = lastOpening;
  showWaiting(opening.waiting);
  try {
    const answer = await host.call(opening.tool, opening.args);
    if (own === lastOpening) await opening.draw(answer);
  } catch (error) {
    if (own !== lastOpening) return;
    const { back } = opening;
    show([failure(error, () => openLatest(opening), back && button("Back", "plain", back))]);
  }
}

/** What failed, and a button that tries it again. */
export function failure(error: unknown, again: () => unknown, ...more: Child[]): HTMLElement {
  return problem(asCallError(error).message, button("Try again", "plain", again), ...more);
}
