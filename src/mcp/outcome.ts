/** What the transport needs besides the result object. */
interface Outcome {
  /** The result as JSON, where it is serialised already. */
  readonly json: string;
  /** The missing scope that made it fail: a single call then answers 403 with a challenge (completions §2). */
  readonly missingScope: string | undefined;
  /** When a failed call may be retried: the response to a single call has it in `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** The public message for a single call that gets 503 because the store is unavailable. */
  readonly outage: string | undefined;
}

/** The property that holds it. A WeakMap would keep results alive until the next full garbage collection. */
const OUTCOME = Symbol("outcome");

/** Attaches to `result` its own JSON, so that the transport does not serialise it again. */
export function withJson<R extends object>(
  result: R,
  json: string,
  { missingScope, retryAfterSeconds, outage }: Partial<Omit<Outcome, "json">> = {},
): R {
  const outcome: Outcome = { json, missingScope, retryAfterSeconds, outage };
  return Object.defineProperty(result, OUTCOME, { value: outcome });
}

/** What {@link withJson} attached. */
export function outcomeOf(result: object): Outcome | undefined {
  const carrying: { readonly [OUTCOME]?: Outcome } = result;
  return carrying[OUTCOME];
}
