/**
 * What the service publishes about its work, on Node's diagnostics channels. src/telemetry subscribes; without a
 * subscriber nothing is measured. No workspace, person or secret may be published.
 */
import type { AsyncLocalStorage } from "node:async_hooks";
import { type TracingChannel, tracingChannel } from "node:diagnostics_channel";

/** A subscriber to an activity. `S` is the value of `store` during the activity. */
interface SignalFollower<C, S> {
  readonly store: AsyncLocalStorage<S>;
  began(context: C): S;
  /** `error` is what the work rejected with, if it did. */
  ended(context: C, error: unknown): void;
}

const nothing = (): void => undefined;

/** A kind of activity. Its context is filled in during the work, and read when it has ended. */
export class Activity<C extends object> {
  readonly #channel: TracingChannel<unknown, C>;

  constructor(name: string) {
    this.#channel = tracingChannel(`receivables.${name}`);
  }

  get isFollowed(): boolean {
    return this.#channel.hasSubscribers;
  }

  /** Runs `work` and publishes its start and end. */
  during<T>(context: C, work: () => Promise<T>): Promise<T> {
    return this.isFollowed ? this.#channel.tracePromise(work, context) : work();
  }

  /** Publishes the start of work whose end {@link tell} publishes. */
  begin(context: C, work: () => void) {
    this.#channel.start.runStores(context, work);
  }

  /** Publishes the end of work. */
  tell(context: C) {
    this.#channel.asyncEnd.publish(context);
  }

  /** Subscribes. Returns the unsubscribe. */
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

/** The caller's trace, by W3C Trace Context, and W3C Baggage: what the caller says of the work that it is part of. */
export interface CallersTrace {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
  readonly baggage?: string | undefined;
}

/** An HTTP request to any interface. */
export interface HttpRequest extends CallersTrace {
  readonly method: string;
  readonly scheme: string;
  /** The path as declared, with names for what varies; null for a path that is not served. */
  route: string | null;
  status: number;
}

export const httpRequests = new Activity<HttpRequest>("http.request");

/** A JSON-RPC request of an assistant. */
export interface RpcSignal extends CallersTrace {
  readonly method: string;
  /** Set when the call is of a tool that exists. */
  tool: string | null;
  /** `ok`, or the code of the error. */
  outcome: string;
}

export const rpcCalls = new Activity<RpcSignal>("mcp.call");

/** A refused caller: where (an interface or the name of a limit), and the error's code. */
export const refusals = new Activity<{ route: string; reason: string }>("refusal");

/** A statement to the store, published when it has ended. */
export const statements = new Activity<{ sql: string; milliseconds: number; failed: boolean }>("store.statement");

/** Work that the store refused: why, in one word, and in the words of its server or driver. */
export const storeRefusals = new Activity<{ outage: string; reason: string }>("store.refusal");

/** A request to an external system. */
export interface OutsideCall {
  readonly system: "erp" | "payments" | "mail";
  readonly operation: "read" | "write" | "send";
  /** `ok`, or the error type. */
  outcome: string;
}

export const outsideCalls = new Activity<OutsideCall>("outside.call");

/** A job: one piece of work (`piece`), or one poll for work (`look`). */
export interface Job {
  readonly job: string;
  readonly kind: "piece" | "look";
  /** `ok`, or the error type. */
  outcome: string;
}

export const jobs = new Activity<Job>("job");

/** The error type of an error; `unexpected` for unknown errors. */
export function failureOf(error: unknown) {
  if (!(error instanceof Error)) return "unexpected";
  if ("code" in error && typeof error.code === "string") {
    if (/^[a-z_]{1,40}$/.test(error.code)) return error.code;
    if (/^E[A-Z]{2,}$/.test(error.code)) return "unreachable";
  }
  return "kind" in error && typeof error.kind === "string" ? error.kind : "unexpected";
}
