import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type StripeAnswer, StripeFault } from "./answers.ts";

/**
 * What the API does to requests. `hang` never answers, `drop` cuts the connection, `500` fails: all before anything took
 * effect. The same with `_after` do it once it has. `after` requests still go well, `times` requests then fail (all, when
 * absent). `path` leaves every request alone whose path does not start with it, such as `/v1/events`.
 */
export const FaultControl = z.strictObject({
  mode: z
    .enum(["ok", "401", "403", "429", "500", "503", "hang", "drop", "500_after", "hang_after", "drop_after"])
    .default("ok"),
  after: z.int().min(0).default(0),
  times: z.int().min(1).optional(),
  path: z.string().default("/"),
  latency_ms: z.int().min(0).max(600_000).default(0),
});

export type FaultInput = z.input<typeof FaultControl>;
export type FaultMode = z.output<typeof FaultControl>["mode"];

const failing = (status: number): StripeFault =>
  new StripeFault("An unknown error occurred", {
    status,
    type: "api_error",
    ...(status === 500 ? { headers: { "Stripe-Should-Retry": "false" } } : {}),
  });

const REFUSALS: Partial<Record<FaultMode, StripeFault>> = {
  "401": new StripeFault("Invalid API Key provided: sk_test_****", { status: 401 }),
  "403": new StripeFault("The provided key does not have the required permissions.", { status: 403 }),
  "429": new StripeFault("Too many requests hit the API too quickly.", { status: 429, code: "rate_limit" }),
  "503": failing(503),
};

/** The answer of a request that failed inside; Stripe keeps it for the idempotency key. */
export const INTERNAL_ERROR: StripeAnswer = failing(500).answer;

/** Makes the API fail on purpose. */
export class StripeFaults {
  #control = FaultControl.parse({});
  #seen = 0;

  set(input: FaultInput): void {
    this.#control = FaultControl.parse(input);
    this.#seen = 0;
  }

  /** Waits, then says what is to be done to this request. Throws the fault of what never reaches the API proper. */
  async meet(path: string): Promise<FaultMode> {
    const { mode, after, times, latency_ms } = this.#control;
    if (!path.startsWith(this.#control.path)) return "ok";
    this.#seen += 1;
    const affected = this.#seen > after && (times === undefined || this.#seen <= after + times);
    if (latency_ms > 0) await sleep(latency_ms, undefined, { ref: false });
    if (!affected) return "ok";
    const refusal = REFUSALS[mode];
    if (refusal !== undefined) throw refusal;
    return mode;
  }
}
