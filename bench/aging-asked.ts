import { randomUUID } from "node:crypto";
import { auth } from "@modelcontextprotocol/sdk/client/auth.js";
import { addMember } from "../auth/members/add-member.ts";
import { operate } from "../src/core/gate/operator.ts";
import { approveByForms, connectAssistant } from "../test/support/assistant.ts";
import type { AgingBook } from "./aging-book.ts";
import { type Question, questions } from "./aging-questions.ts";
import { type Caller, startCaller } from "./caller.ts";
import type { OpenService } from "./open-service.ts";
import { median, quantile } from "./quantile.ts";

/** Of each question. */
export const CALLS = Number(process.env.BENCH_CALLS ?? 200);
const WARM_UP = Math.min(60, CALLS);
/** What grows with the book is slow, and held to nothing: it is asked less often. */
const callsOf = ({ most }: Question, calls: number): number => Math.ceil(most === null ? calls / 10 : calls);
const ROUNDS = Math.min(8, CALLS);
const PASSWORD = "a long enough password";

export interface Figure extends Question {
  p50: number;
  p99: number;
}

/** Somebody who asks for the aging of a book, and how long their answers took. */
interface Asker {
  caller: Caller;
  /** Gets them a new access token. */
  renew(): Promise<void>;
  /** What they ask, and the milliseconds of each answer. */
  asked: Asked[];
}

interface Asked {
  question: Question;
  times: number[];
  /** It takes longer than a call may. */
  isRefused: boolean;
}

async function askerOf({ core, url }: OpenService, book: AgingBook): Promise<Asker> {
  const person = { email: `bench-${randomUUID()}@bench.example`, password: PASSWORD };
  await operate(core, book.tenantId, addMember, { ...person, role: "member" });
  const { provider, client } = await connectAssistant(`${url}/mcp`, approveByForms(url, person));
  await client.close();
  const caller = await startCaller({ url, token: provider.kept?.access_token ?? "" });
  const renew = async () => {
    await auth(provider, { serverUrl: `${url}/mcp` });
    caller.take(provider.kept?.access_token ?? "");
  };
  return { caller, renew, asked: questions(book).map((question) => ({ question, times: [], isRefused: false })) };
}

/** Asks some times, but not again what a book has outgrown: only what is held to nothing may be refused for its time. */
async function make(caller: Caller, asked: Asked, calls: number): Promise<void> {
  if (asked.isRefused) return;
  try {
    await caller.make({ ...asked.question, calls: callsOf(asked.question, calls) });
  } catch (error) {
    if (asked.question.most !== null || !String(error).includes("too busy")) throw error;
    asked.isRefused = true;
  }
}

/**
 * Figures of each book. First everything is asked unmeasured: a server runs for days, and compiles what it uses in its first
 * seconds. Then the books are asked in turn, a few calls each, for a machine is not the same from one minute to the next.
 */
export async function ask(service: OpenService, books: readonly AgingBook[]): Promise<Figure[][]> {
  const askers = await Promise.all(books.map((book) => askerOf(service, book)));
  for (const { caller, renew, asked } of askers)
    for (const one of asked) {
      await renew();
      await make(caller, one, WARM_UP);
    }
  for (const at of askers[0]?.asked.keys() ?? []) {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { caller, renew, asked } of askers) {
        const one = asked[at];
        if (one === undefined) throw new Error("every book is asked the same");
        await renew();
        service.times.length = 0;
        await make(caller, one, CALLS / ROUNDS);
        one.times.push(...service.times);
      }
    }
  }
  for (const { caller } of askers) await caller.leave();
  return askers.map(({ asked }) =>
    asked.map(({ question, times, isRefused }) => ({
      ...question,
      p50: isRefused ? Number.POSITIVE_INFINITY : median(times),
      p99: isRefused ? Number.POSITIVE_INFINITY : quantile(times, 0.99),
    })),
  );
}

export const nameOf = ({ tool, args }: Question): string =>
  [tool, ...Object.entries(args).map(([key, value]) => (key === "customer_key" ? key : `${key}=${value}`))].join(" ");

/** What the median of each kind of call is held to. */
export const limitsOf = (figures: readonly Figure[], least = 0) =>
  figures.flatMap((figure) =>
    figure.most === null ? [] : [{ what: nameOf(figure), value: figure.p50, most: Math.max(least, figure.most) }],
  );
