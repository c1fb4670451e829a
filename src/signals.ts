/**
 * What the service tells of its own work while it does it, on Node's diagnostics channels: whoever is switched on follows
 * it (src/telemetry), and where nobody does nothing is measured. No workspace, person or secret may be named here.
 */
import type { AsyncLocalStorage } from "node:async_hooks";
import { type TracingChannel, tracingChannel } from "node:diagnostics_channel";

/** Who follows a kind of work. `S` is what `store` holds wherever the work goes on. */
export interface SignalFollower<C, S> {
  readonly store: AsyncLocalStorage<S>;
  began(context: C): S;
  /** `error` is what the work rejected with. */
  ended(context: C, error: unknown): void;
}

const nothing = (): void => undefined;

/** A kind of work. Its context is filled in while it goes on, and read when it has ended. */
export class Activity<C extends object> {
  readonly #channel: TracingChannel<unknown, C>;

  constructor(name: string) {
    this.#channel = tracingChannel(`receivables.${name}`);
  }

  get isFollowed(): boolean {
    return this.#channel.hasSubscribers;
  }

  /** Does the work, and tells of its beginning and end. */
  during<T>(context: C, work: () => Promise<T>): Promise<T> {
    return this.isFollowed ? this.#channel.tracePromise(work, context) : work();
  }

  /** Begins work whose end is told by {@link tell}. */
  begin(context: C, work: () => void): void {
    this.#channel.start.runStores(context, work);
  }

  /** Tells of work that has ended. */
  tell(context: C): void {
    this.#channel.asyncEnd.publish(context);
  }

  /** Returns what ends the following. */
  follow<S>({ store, began, ended }: SignalFollower<C, S>): () => void {
    const { start } = this.#channel;
    const subscribers = {
      start: nothing,
      end: nothing,
      asyncStart: nothing,
      error: nothing,
      asyncEnd: (context: C & { error?: unknown }) => ended(context, context.error),
    };
    start.bindStore(store, began);
    this.#channel.subscribe(subscribers);
    return () => {
      start.unbindStore(store);
      this.#channel.unsubscribe(subscribers);
    };
  }
}

/** A request over HTTP, whatever its face. */
export interface HttpRequest {
  readonly method: string;
  readonly scheme: string;
  /** The header of W3C Trace Context. */
  readonly traceparent: string | undefined;
  /** The path as declared, with names for what varies; null for one that nobody serves. */
  route: string | null;
  status: number;
}

export const httpRequests = new Activity<HttpRequest>("http.request");

/** One message of the assistant protocol that asks for an answer. */
export const rpcCalls = new Activity<{
  method: string;
  /** Set when the call is of a tool that exists. */
  tool: string | null;
  /** `ok`, or the code of the error. */
  outcome: string;
}>("mcp.call");

/** A caller turned away: where (a face or the name of a limit), and the error's code. */
export const refusals = new Activity<{ route: string; reason: string }>("refusal");

/** A statement to the store, told of when it has ended. */
export const statements = new Activity<{ sql: string; milliseconds: number; failed: boolean }>("store.statement");

/** A request to somebody else's system. */
export interface OutsideCall {
  readonly system: "erp" | "payments" | "mail";
  readonly operation: "read" | "write" | "send";
  /** `ok`, or what went wrong in a word. */
  outcome: string;
}

export const outsideCalls = new Activity<OutsideCall>("outside.call");

/** Work without a caller: one piece of it, or one look for some. */
export interface Job {
  readonly job: string;
  readonly kind: "piece" | "look";
  /** `ok`, or what became of it in a word. */
  outcome: string;
}

export const jobs = new Activity<Job>("job");

/** What went wrong, in a word of the service's own; `unexpected` for whatever has none. */
export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return "unexpected";
  if ("code" in error && typeof error.code === "string") {
    if (/^[a-z_]{1,40}$/.test(error.code)) return error.code;
    if (/^E[A-Z]{2,}$/.test(error.code)) return "unreachable";
  }
  return "kind" in error && typeof error.kind === "string" ? error.kind : "unexpected";
}
