import { type StripeAnswer, StripeFault } from "./answers.ts";

interface Stored {
  readonly fingerprint: string;
  answer: StripeAnswer | undefined;
}

/** Stripe's idempotency: the first answer to a key is kept, 500s too, and given again to the same request. */
export class IdempotencyKeys {
  readonly #stored = new Map<string, Stored>();

  /** What the key was answered before; undefined starts the request. Throws a fault on other parameters, and while in use. */
  begin(key: string, fingerprint: string): StripeAnswer | undefined {
    if (key.length > 255) throw new StripeFault("Idempotency keys are at most 255 characters.");
    const stored = this.#stored.get(key);
    if (stored === undefined) {
      this.#stored.set(key, { fingerprint, answer: undefined });
      return undefined;
    }
    if (stored.fingerprint !== fingerprint)
      throw new StripeFault(
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        { type: "idempotency_error" },
      );
    if (stored.answer === undefined)
      throw new StripeFault("There is currently another in-progress request using this Stripe Idempotent Key.", {
        status: 409,
        type: "idempotency_error",
        code: "idempotency_key_in_use",
      });
    const { status, body, headers } = stored.answer;
    return { status, body, headers: { ...headers, "Idempotent-Replayed": "true" } };
  }

  /** Keeps what a request that began was answered; one that was refused before it ran leaves its key unused. */
  finish(key: string, answer: StripeAnswer | undefined): void {
    const stored = this.#stored.get(key);
    if (answer === undefined) this.#stored.delete(key);
    else if (stored !== undefined) stored.answer = answer;
  }

  /** As Stripe may do after a day. */
  forget(): void {
    this.#stored.clear();
  }
}
