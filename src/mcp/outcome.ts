/** What the transport needs to know of a result beyond the object itself. */
interface Outcome {
  /** The result as JSON, made by whoever could make it cheaply. */
  readonly json: string;
  /** The scope whose absence made it a failure: a lone call then answers 403 with a challenge (completions §2). */
  readonly missingScope: string | undefined;
  /** When a failure may be tried again: a lone call's answer says it in `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** What a lone call is refused with (503) because the store cannot be had; public. */
  readonly outage: string | undefined;
}

/** Where a result carries it. A table on the side would keep many a result alive until the next full collection. */
const OUTCOME = Symbol("outcome");

/** Attaches to `result` its own JSON, so that the transport sends that instead of serialising it again. */
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
