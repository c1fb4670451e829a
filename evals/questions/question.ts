import type { Cells, Read } from "./read.ts";

/** What kind of thing is asked; the report adds calls and tokens up by it. */
export const CLASSES = [
  "lookup",
  "sum",
  "ranking",
  "filter",
  "time",
  "why",
  "change",
  "action",
  "refusal",
  "hostile",
] as const;
export type QuestionClass = (typeof CLASSES)[number];

/** What a question may cost at most; tokens are o200k, over arguments and text content (completions §10). */
export interface Limits {
  readonly calls: number;
  readonly tokens: number;
}

/** What every question is held to, unless it has limits of its own. */
export const USUAL_LIMITS: Limits = { calls: 4, tokens: 4_000 };

/** One tool call of a reference trajectory. */
export interface Call {
  readonly tool: string;
  /** Texts may hold {@link Question.given} values and dates as `{name}`, and values of earlier answers as `{0.data.0.id}`. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The call has to fail with this error code (service.md §7), or `-32602` where there is no such tool. */
  readonly refused?: string;
  /** Called by a member of the workspace who is no admin. */
  readonly asMember?: boolean;
}

/** Something a finance person asks an assistant, with the truth and the calls that answer it. */
export interface Question {
  /** Unique; starts with the class. */
  readonly id: string;
  readonly class: QuestionClass;
  /** As the person puts it; `{name}` stands for what {@link given} or the calendar says. */
  readonly text: string;
  /** Plain SQL over the book (see sql.ts); the columns of its first row are values by name. */
  readonly given?: string;
  /** Plain SQL for the right answer: one row of cells for each row of it. */
  readonly truth: string;
  readonly calls: readonly Call[];
  /** How the answer is read off what the tools answered; null where nothing is to be said but no. */
  readonly read: Read | null;
  /** Plain SQL on the book after the calls; what it gives must equal the truth. */
  readonly after?: string;
  /** Tools that change something and are asked for. */
  readonly writes?: readonly string[];
  /** The workspace whose receipts wait for a person, where the book has two. */
  readonly inHeldWorkspace?: boolean;
  readonly limits?: Limits;
  /** The truth has all rows that tie; this number of them, or all, is a right answer. */
  readonly anyOf?: number;
}

export type { Cells };

/** A call, in short. */
export function call(tool: string, args: Call["args"] = {}): Call {
  return { tool, args };
}

/** A call that has to be refused. */
export function refusedCall(code: string, tool: string, args: Call["args"] = {}): Call {
  return { tool, args, refused: code };
}
