import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Activity } from "../signals.ts";

/** How the span of a piece of work begins. */
export interface SpanBeginning {
  readonly name: string;
  readonly kind: SpanKind;
  /** Of a caller's own trace; else the span around it. */
  readonly parent?: Context | undefined;
}

/** What is known of a piece of work when it has ended. */
export interface Ending {
  readonly attributes: Attributes;
  /** For the span alone: too many values for a metric. */
  readonly detail?: Attributes;
  /** What was not known when it began. */
  readonly name?: string;
  /** In a word; null where nothing is wrong on our side. */
  readonly failure: string | null;
}

/** How one kind of work is measured and traced. */
export interface Following<C> {
  /** Null: it is measured alone. */
  span(context: C): SpanBeginning | null;
  ended(context: C, error: unknown): Ending;
  record(seconds: number, attributes: Attributes): void;
}

interface Begun {
  readonly since: number;
  readonly span: Span | undefined;
}

/** Follows activities until it is stopped. Without a tracer nothing is traced. */
export class Follower {
  readonly #tracer: Tracer | null;
  readonly #current = new AsyncLocalStorage<Span | undefined>();
  readonly #begun = new WeakMap<object, Begun>();
  readonly #ends: (() => void)[] = [];

  constructor(tracer: Tracer | null) {
    this.#tracer = tracer;
  }

  /** Work that tells of its beginning and its end. */
  follow<C extends object>(activity: Activity<C>, { span, ended, record }: Following<C>): void {
    this.#ends.push(
      activity.follow({
        store: this.#current,
        began: (context) => {
          const around = this.#current.getStore();
          const beginning = this.#tracer === null ? null : span(context);
          const own = beginning === null ? undefined : this.#start(beginning, around);
          this.#begun.set(context, { since: performance.now(), span: own });
          return own ?? around;
        },
        ended: (context, error) => {
          const begun = this.#begun.get(context);
          if (begun === undefined) return;
          const ending = ended(context, error);
          record((performance.now() - begun.since) / 1_000, ending.attributes);
          if (begun.span !== undefined) finish(begun.span, ending);
        },
      }),
    );
  }

  /** Work that is told of when it has ended; its span is drawn into that of the work around it, if any. */
  followEnded<C extends object>(
    activity: Activity<C>,
    { span, ended, record, seconds }: Following<C> & { seconds(context: C): number },
  ): void {
    this.#ends.push(
      activity.follow({
        store: this.#current,
        began: () => this.#current.getStore(),
        ended: (context, error) => {
          const ending = ended(context, error);
          record(seconds(context), ending.attributes);
          const around = this.#current.getStore();
          const beginning = this.#tracer === null || around === undefined ? null : span(context);
          if (beginning === null) return;
          finish(this.#start(beginning, around, Date.now() - seconds(context) * 1_000), ending);
        },
      }),
    );
  }

  stop(): void {
    for (const end of this.#ends.splice(0)) end();
  }

  #start({ name, kind, parent }: SpanBeginning, around: Span | undefined, startTime?: number): Span | undefined {
    const context = around === undefined ? (parent ?? ROOT_CONTEXT) : trace.setSpan(ROOT_CONTEXT, around);
    return this.#tracer?.startSpan(name, { kind, ...(startTime === undefined ? {} : { startTime }) }, context);
  }
}

function finish(span: Span | undefined, { attributes, detail = {}, name, failure }: Ending): void {
  if (span === undefined) return;
  span.setAttributes({ ...attributes, ...detail });
  if (name !== undefined) span.updateName(name);
  if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
  span.end();
}
