import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { z } from "zod";
import { callTool, tokensOf } from "../play.ts";
import { complete, type Endpoint, EndpointError, jsonOf, type Message, type ModelTool } from "./chat.ts";

/** After this many calls a question is given up. */
export const MOST_CALLS = 20;

/** One call the model made. */
export interface ModelCall {
  readonly tool: string;
  /** As the model wrote them. */
  readonly args: string;
  /** Of a call that failed; `malformed` where the arguments were no JSON object. */
  readonly code: string | null;
}

/** How a question was answered. */
export interface Conversation {
  /** The last text of the model; empty where it gave none. */
  readonly answer: string;
  readonly calls: readonly ModelCall[];
  /** Of arguments and text content, as in the questions' limits. */
  readonly tokens: number;
  /** Why it ended without an answer; null where it did not. */
  readonly problem: string | null;
}

/** An assistant's connection with what the server says to models. */
export interface Connected {
  readonly client: Client;
  readonly instructions: string;
  readonly tools: readonly ModelTool[];
  /** Names of tools that are not read-only. */
  readonly writes: ReadonlySet<string>;
}

/** Reads the server's instructions and tools, as an assistant does when it connects. */
export async function readServer(client: Client): Promise<Connected> {
  const { tools } = await client.listTools();
  return {
    client,
    instructions: client.getInstructions() ?? "",
    tools: tools.map(({ name, description = "", inputSchema }) => ({
      type: "function",
      function: { name, description, parameters: inputSchema },
    })),
    writes: new Set(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name)),
  };
}

const Arguments = z.record(z.string(), z.unknown());

/** Has the model answer a question with the server's tools, until it answers with text only. */
export async function converse(connected: Connected, endpoint: Endpoint, text: string): Promise<Conversation> {
  const messages: Message[] = [
    { role: "system", content: connected.instructions },
    { role: "user", content: text },
  ];
  const calls: ModelCall[] = [];
  let tokens = 0;
  const ended = (answer: string, problem: string | null): Conversation => ({ answer, calls, tokens, problem });
  try {
    while (true) {
      const { content, toolCalls } = await complete(endpoint, messages, connected.tools);
      if (toolCalls.length === 0)
        return ended(content ?? "", content === null || content === "" ? "it said nothing" : null);
      messages.push({ role: "assistant", content, tool_calls: toolCalls });
      for (const { id, function: called } of toolCalls) {
        if (calls.length >= MOST_CALLS) return ended(content ?? "", `it went on after ${MOST_CALLS} calls`);
        const made = await carryOut(connected.client, called.name, called.arguments);
        calls.push({ tool: called.name, args: called.arguments, code: made.code });
        tokens += tokensOf(called.arguments, made.text);
        messages.push({ role: "tool", tool_call_id: id, content: made.text });
      }
    }
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error;
    return ended("", `the endpoint failed: ${error.message}`);
  }
}

function carryOut(client: Client, tool: string, text: string): Promise<{ text: string; code: string | null }> {
  const args = Arguments.safeParse(text.trim() === "" ? {} : jsonOf(text));
  return args.success
    ? callTool(client, tool, args.data)
    : Promise.resolve({ text: "The arguments are not a JSON object. Call the tool again.", code: "malformed" });
}
