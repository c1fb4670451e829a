import { type Book, connect } from "../books/book.ts";
import { differenceOf } from "../compare.ts";
import { fill } from "../placeholders.ts";
import { cellsOf, factsOf, workspaceOf } from "../play.ts";
import type { Question } from "../questions/question.ts";
import type { Endpoint } from "./chat.ts";
import { type Connected, type Conversation, converse, readServer } from "./conversation.ts";
import { type Score, scoreOf } from "./score.ts";

/** A question as it was put, and what came back. */
export interface Evaluated {
  readonly text: string;
  readonly score: Score;
  readonly conversation: Conversation;
}

/** Has a model answer questions about a book, one after another; `tell` hears of each. */
export async function evaluate(
  book: Book,
  questions: readonly Question[],
  endpoint: Endpoint,
  tell: (one: Evaluated) => void = () => undefined,
): Promise<Evaluated[]> {
  const connections = new Map<string, Connected>();
  const evaluated: Evaluated[] = [];
  try {
    for (const question of questions) {
      const { name, admin, member } = workspaceOf(book, question);
      const login = question.calls.some(({ asMember = false }) => asMember) ? member : admin;
      const key = `${name} ${login.email}`;
      const connected = connections.get(key) ?? (await readServer((await connect(book, login)).client));
      connections.set(key, connected);
      const one = await answer(book, connected, question, endpoint);
      evaluated.push(one);
      tell(one);
    }
  } finally {
    for (const { client } of connections.values()) await client.close();
  }
  return evaluated;
}

async function answer(book: Book, connected: Connected, question: Question, endpoint: Endpoint): Promise<Evaluated> {
  const facts = await factsOf(book, question);
  const truth = await cellsOf(book, question.truth, facts);
  const text = fill(question.text, facts);
  const conversation = await converse(connected, endpoint, text);
  const score = scoreOf(question, truth, conversation, connected.writes);
  if (question.after === undefined) return { text, score, conversation };
  const left = differenceOf(await cellsOf(book, question.after, facts), truth);
  const problem = score.problem ?? (left === null ? null : "the book is not as it should be afterwards");
  return { text, score: { ...score, problem }, conversation };
}
