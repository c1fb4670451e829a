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

/** How a span starts. */
interface SpanBeginning {
  readonly name: string;
  readonly kind: SpanKind;
  /** The caller's trace context; without a span in it the current span is the parent, otherwise a link leads to that. */
  readonly parent?: Context | undefined;
}

/** The outcome of a piece of work. */
interface Ending {
  readonly attributes: Attributes;
  /** For the span only: too many values for a metric. */
  readonly detail?: Attributes;
  /** The final name, where it was not known at the start. */
  readonly name?: string;
  /** The error type; null where nothing failed on our side. */
  readonly failure: string | null;
}

/** How one kind of activity is measured and traced. */
interface Following<C> {
  /** Null: measured, but not traced. */
  span(context: C): SpanBeginning | null;
  ended(context: C, error: unknown): Ending;
  record(seconds: number, attributes: Attributes): void;
}

interface Begun {
  readonly since: number;
  readonly span: Span | undefined;
}

/** Measures and traces activities until stopped. Without a tracer nothing is traced. */
export class Follower {
  readonly #tracer: Tracer | null;
  readonly #current = new AsyncLocalStorage<Span | undefined>();
  readonly #begun = new WeakMap<object, Begun>();
  readonly #ends: (() => void)[] = [];

  constructor(tracer: Tracer | null) {
    this.#tracer = tracer;
  }

  /** An activity that publishes its start and its end. */
  follow<C extends object>(activity: Activity<C>, { span, ended, record }: Following<C>) {
    this.#ends.push(
      activity.follow({
        store: this.#current,
        began: (context) => {
          const around = this.#current.getStore();
          const beginning = this.#tracer && span(context);
          const own = beginning ? this.#start(beginning, around) : undefined;
          this.#begun.set(context, { since: performance.now(), span: own });
          return own ?? around;
        },
        ended: (context, error) => {
          const begun = this.#begun.get(context);
          if (begun === undefined) return;
          const ending = ended(context, error);
          record((performance.now() - begun.since) / 1_000, ending.attributes);
          finish(begun.span, ending);
        },
      }),
    );
  }

  /** An activity that is published when it has ended; traced as a child of the current span, if any. */
  followEnded<C extends object>(
    activity: Activity<C>,
    { span, ended, record, seconds }: Following<C> & { seconds(context: C): number },
  ) {
    this.followTold(activity, (context, error) => {
      const ending = ended(context, error);
      record(seconds(context), ending.attributes);
      const around = this.#current.getStore();
      const beginning = around && span(context);
      if (beginning) finish(this.#start(beginning, around, Date.now() - seconds(context) * 1_000), ending);
    });
  }

  /** An activity that has no beginning. */
  followTold<C extends object>(activity: Activity<C>, ended: (context: C, error: unknown) => void) {
    const [store, began] = [this.#current, () => this.#current.getStore()];
    this.#ends.push(activity.follow({ store, began, ended }));
  }

  stop() {
    for (const end of this.#ends.splice(0)) end();
  }

  #start({ name, kind, parent }: SpanBeginning, around: Span | undefined, startTime?: number) {
    const remote = parent === undefined ? undefined : trace.getSpanContext(parent);
    const local = around === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, around);
    const isElsewhere = remote !== undefined && around !== undefined && remote.traceId !== around.spanContext().traceId;
    const options = {
      kind,
      ...(startTime === undefined ? {} : { startTime }),
      ...(isElsewhere ? { links: [{ context: around.spanContext() }] } : {}),
    };
    return this.#tracer?.startSpan(name, options, remote === undefined ? local : parent);
  }
}

function finish(span: Span | undefined, { attributes, detail = {}, name, failure }: Ending) {
  if (span === undefined) return;
  span.setAttributes({ ...attributes, ...detail });
  if (name !== undefined) span.updateName(name);
  if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
  span.end();
}
