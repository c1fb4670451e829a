import { type Book, connect } from "./books/book.ts";
import { type Askers, type Played, play, workspaceOf } from "./play.ts";
import type { Question } from "./questions/question.ts";

/** Plays questions on a book, one after another, as the people of its workspaces through assistants of their own. */
export async function askAll(book: Book, questions: readonly Question[]): Promise<Played[]> {
  const assistants = new Map<string, Askers & { close(): Promise<void> }>();
  const played: Played[] = [];
  try {
    for (const question of questions) {
      const workspace = workspaceOf(book, question);
      const askers = assistants.get(workspace.name) ?? (await askersOf(book, question));
      assistants.set(workspace.name, askers);
      played.push(await play(book, askers, question));
    }
  } finally {
    for (const { close } of assistants.values()) await close();
  }
  return played;
}

async function askersOf(book: Book, question: Question) {
  const workspace = workspaceOf(book, question);
  const admin = await connect(book, workspace.admin);
  const member = await connect(book, workspace.member);
  return {
    admin: admin.client,
    member: member.client,
    async close() {
      await admin.close();
      await member.close();
    },
  };
}
