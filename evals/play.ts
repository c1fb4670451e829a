import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { CallToolResultSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { z } from "zod";
import { type Book, basicsOf, readBook, type Workspace } from "./books/book.ts";
import { differenceOf } from "./compare.ts";
import { type Facts, fillArguments } from "./placeholders.ts";
import { type Cells, type Limits, type Question, USUAL_LIMITS } from "./questions/question.ts";

/** The assistants of a workspace's people. */
export interface Askers {
  readonly admin: Client;
  readonly member: Client;
}

/** How a question's reference trajectory went. */
export interface Played {
  readonly question: Question;
  readonly calls: number;
  readonly tokens: number;
  /** Why the answer is not exact; null where it is. */
  readonly problem: string | null;
  readonly ms: number;
}

/** What one tool call answered. */
export interface ToolAnswer {
  readonly text: string;
  /** The error code of a failed call; null of any other. */
  readonly code: string | null;
}

const Failure = z.object({ error: z.object({ code: z.string() }) });

/** Calls a tool over MCP; an unknown tool has the code of its JSON-RPC error. */
export async function callTool(client: Client, name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  try {
    const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: args }));
    const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    return { text, code: result.isError === true ? Failure.parse(JSON.parse(text)).error.code : null };
  } catch (error) {
    if (error instanceof McpError) return { text: error.message, code: String(error.code) };
    throw error;
  }
}

/** What a call cost a conversation (completions §10). */
export function tokensOf(args: unknown, text: string): number {
  return countTokens(JSON.stringify(args)) + countTokens(text);
}

/** Where a question is asked. */
export function workspaceOf(book: Book, { inHeldWorkspace = false }: Question): Workspace {
  return inHeldWorkspace ? book.held : book.main;
}

/** What a question's text and calls speak of: dates, and what the book says of its `given`. */
export async function factsOf(book: Book, question: Question): Promise<Facts> {
  const basics = await basicsOf(book, workspaceOf(book, question));
  if (question.given === undefined) return basics;
  const [first] = await readBook(book, question.given, basics);
  if (first === undefined) throw new Error("the book has nothing of the kind the question speaks of");
  return { ...basics, ...Object.fromEntries(Object.entries(first).map(([name, value]) => [name, String(value)])) };
}

const CellRow = z.object({ cells: z.array(z.string()) });

/** Rows of cells of a statement that `select` made. */
export async function cellsOf(book: Book, statement: string, facts: Facts): Promise<Cells[]> {
  return (await readBook(book, statement, facts)).map((row) => CellRow.parse(row).cells);
}

/** Plays a question's calls and compares what they answer with the truth. */
export async function play(book: Book, askers: Askers, question: Question): Promise<Played> {
  const spent = { calls: 0, tokens: 0 };
  const start = performance.now();
  const problem = await problemOf(book, askers, question, spent).catch((error: unknown) => String(error));
  return { question, ...spent, problem, ms: performance.now() - start };
}

async function problemOf(
  book: Book,
  askers: Askers,
  question: Question,
  spent: { calls: number; tokens: number },
): Promise<string | null> {
  const facts = await factsOf(book, question);
  const truth = await cellsOf(book, question.truth, facts);
  const answers: unknown[] = [];
  for (const { tool, args, refused = null, asMember = false } of question.calls) {
    const filled = z.record(z.string(), z.unknown()).parse(fillArguments(args, facts, answers));
    const { text, code } = await callTool(asMember ? askers.member : askers.admin, tool, filled);
    spent.calls += 1;
    spent.tokens += tokensOf(filled, text);
    if (code !== refused) return `${tool}: ${text.slice(0, 300)}`;
    answers.push(code === null ? JSON.parse(text) : text);
  }
  const told = question.read === null ? null : differenceOf(question.read(answers, facts), truth, question.anyOf);
  if (told !== null || question.after === undefined) return told;
  const left = differenceOf(await cellsOf(book, question.after, facts), truth);
  return left === null ? null : `afterwards: ${left}`;
}

/** The limits of its own that a question is over; null where it keeps them or has none. */
export function overOwnLimits({ question: { limits }, calls, tokens }: Played): Limits | null {
  return limits !== undefined && (calls > limits.calls || tokens > limits.tokens) ? limits : null;
}

export function isUsual({ calls, tokens }: Played): boolean {
  return calls <= USUAL_LIMITS.calls && tokens <= USUAL_LIMITS.tokens;
}
