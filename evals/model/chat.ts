import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

/** A message of a conversation, as chat-completions endpoints take it. */
export type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

/** A tool the model may call. */
export interface ModelTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: unknown };
}

const ToolCall = z.object({
  id: z.string(),
  type: z.literal("function").default("function"),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
type ToolCall = z.output<typeof ToolCall>;

const Completion = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullish(), tool_calls: z.array(ToolCall).nullish() }) }))
    .min(1),
});

/** What the model said: text, calls, or both. */
export interface Reply {
  readonly content: string | null;
  readonly toolCalls: readonly ToolCall[];
}

/** Where the model is, and how long it is waited for. */
export interface Endpoint {
  /** Up to `/chat/completions`, such as `https://models.example/v1`. */
  readonly url: string;
  readonly model: string;
  /** Sent as bearer token; null where the endpoint asks for none. */
  readonly key: string | null;
  /** For one answer. */
  readonly timeoutMs: number;
  /** Waits before the second and later attempts; an endpoint's own `Retry-After` is waited for where it is longer. */
  readonly retryDelaysMs: readonly number[];
}

/** The endpoint gave no answer that can be used; the message says what it did. */
export class EndpointError extends Error {
  override name = "EndpointError";
}

/** Worth another attempt. */
class PassingError extends EndpointError {
  readonly waitMs: number;

  constructor(message: string, waitMs = 0) {
    super(message);
    this.waitMs = waitMs;
  }
}

const LONGEST_WAIT_MS = 60_000;

/** One answer of the model. Tries again after 429, 5xx, a lost connection and a timeout. Throws EndpointError. */
export async function complete(
  endpoint: Endpoint,
  messages: readonly Message[],
  tools: readonly ModelTool[],
): Promise<Reply> {
  for (const delay of [...endpoint.retryDelaysMs, null]) {
    try {
      return await ask(endpoint, messages, tools);
    } catch (error) {
      if (!(error instanceof PassingError) || delay === null) throw error;
      await sleep(Math.min(Math.max(delay, error.waitMs), LONGEST_WAIT_MS));
    }
  }
  throw new EndpointError("the endpoint was never asked");
}

async function ask(endpoint: Endpoint, messages: readonly Message[], tools: readonly ModelTool[]): Promise<Reply> {
  const { url, model, key, timeoutMs } = endpoint;
  const { status, headers, text } = await fetchText(`${url.replace(/\/$/, "")}/chat/completions`, timeoutMs, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, messages, tools }),
  });
  if (status === 429 || status >= 500)
    throw new PassingError(`it answered with status ${status}`, Number(headers.get("retry-after") ?? 0) * 1_000 || 0);
  if (status !== 200) throw new EndpointError(`it answered with status ${status}: ${text.slice(0, 200)}`);
  const { data } = Completion.safeParse(jsonOf(text));
  const message = data?.choices[0]?.message;
  if (message === undefined) throw new EndpointError("its answer is no chat completion");
  return { content: message.content ?? null, toolCalls: message.tool_calls ?? [] };
}

async function fetchText(url: string, timeoutMs: number, init: RequestInit) {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError")
      throw new PassingError(`it did not answer within ${timeoutMs} ms`);
    throw new PassingError("it cannot be reached, or its answer was cut off");
  }
}

/** What the text holds as JSON; undefined where it is something else. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
