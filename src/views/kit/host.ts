/** Fields of an object that came from outside. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field that is a text; undefined where it is anything else. */
export function textField(fields: unknown, name: string): string | undefined {
  const value = isFields(fields) ? fields[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

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
export interface View {
  readonly name: string;
  /** The arguments of the call whose result will be shown. */
  onInput?(args: Fields): void;
  /** The data of a call that succeeded. */
  onResult(data: Fields): void;
  onFailure(failure: CallError): void;
}

/** The assistant's application around the view. */
export interface Host {
  /** Whether views may call tools through it. */
  readonly callsTools: boolean;
  /** Calls a tool as the person's connection. Throws CallError. */
  call(tool: string, args: Fields): Promise<Fields>;
}

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

/** The host's color scheme and font. */
function take(context: unknown): void {
  const { style } = document.documentElement;
  const theme = textField(context, "theme");
  if (theme === "light" || theme === "dark") style.colorScheme = theme;
  const styles = isFields(context) && isFields(context.styles) ? context.styles : {};
  const font = textField(styles.variables, "--font-sans");
  if (font !== undefined) style.setProperty("--font-sans", font);
}

function onNotification(view: View, method: unknown, params: Fields): void {
  if (method === "ui/notifications/tool-input") view.onInput?.(isFields(params.arguments) ? params.arguments : {});
  else if (method === "ui/notifications/host-context-changed") take(params);
  else if (method === "ui/notifications/tool-cancelled")
    view.onFailure(new CallError("The call was cancelled. Whether it was carried out is not known.", null));
  else if (method === "ui/notifications/tool-result") attempt(view, params);
}

function attempt(view: View, result: Fields): void {
  try {
    view.onResult(dataOf(result));
  } catch (error) {
    view.onFailure(asCallError(error));
  }
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

/** Tells the host the view's height. */
function reportSize(): void {
  const { documentElement: root } = document;
  const tell = (): void => {
    const params = { width: root.scrollWidth, height: Math.ceil(document.body.getBoundingClientRect().height) };
    post({ method: "ui/notifications/size-changed", params });
  };
  new ResizeObserver(tell).observe(document.body);
}

/** Connects to the host that shows the view (MCP Apps). */
export async function join(view: View): Promise<Host> {
  listen(view);
  const appInfo = { name: `receivables-${view.name}`, version: "1" };
  const appCapabilities = { availableDisplayModes: ["inline", "fullscreen"] };
  const answer = await ask("ui/initialize", { appInfo, appCapabilities, protocolVersion: PROTOCOL_VERSION });
  const { hostContext, hostCapabilities } = isFields(answer) ? answer : {};
  take(hostContext);
  post({ method: "ui/notifications/initialized", params: {} });
  reportSize();
  return {
    callsTools: isFields(hostCapabilities) && isFields(hostCapabilities.serverTools),
    call: async (tool, args) => dataOf(await ask("tools/call", { name: tool, arguments: args })),
  };
}
