import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { FusionFault } from "./answers.ts";

/**
 * What `POST /_control` takes. `hang` never answers, `drop` cuts the connection before the answer, `cut` halfway
 * through it. `after` requests still go well, `times` requests then fail (all, when absent).
 */
export const Control = z.strictObject({
  mode: z.enum(["ok", "401", "403", "404", "429", "500", "503", "hang", "drop", "cut"]).default("ok"),
  /** Seconds, or an HTTP date, for the `Retry-After` of 429 and 503. */
  retry_after: z.union([z.int().min(0), z.string()]).optional(),
  after: z.int().min(0).default(0),
  times: z.int().min(1).optional(),
  latency_ms: z.int().min(0).max(600_000).default(0),
});

/** A `POST /_control` body. */
export type ControlInput = z.input<typeof Control>;

const DETAILS = {
  "401": "Authentication failed.",
  "403": "The user does not have the privilege to access this resource.",
  "404": "Not found.",
  "429": "Too many requests.",
  "500": "JBO-25013: an unexpected error occurred.",
  "503": "The service is under maintenance.",
} as const;

/** Makes the simulator fail on purpose. */
export class Faults {
  #control = Control.parse({});
  #seen = 0;

  /** Replaces what was set before. Throws a ZodError for a body that is not understood. */
  set(input: unknown): z.output<typeof Control> {
    this.#control = Control.parse(input);
    this.#seen = 0;
    return this.#control;
  }

  /**
   * Waits, then does to this request what is set: `"answer"` means it goes on, `"cut"` that its answer is to be cut off,
   * `"silence"` that nothing may be sent. Throws the fault of a status mode.
   */
  async meet(response: ServerResponse): Promise<"answer" | "cut" | "silence"> {
    const { mode, after, times, latency_ms, retry_after } = this.#control;
    this.#seen += 1;
    const affected = this.#seen > after && (times === undefined || this.#seen <= after + times);
    if (latency_ms > 0) await sleep(latency_ms, undefined, { ref: false });
    if (mode === "ok" || !affected) return "answer";
    if (mode === "cut") return "cut";
    if (mode === "hang") return "silence";
    if (mode === "drop") {
      response.destroy();
      return "silence";
    }
    throw new FusionFault(Number(mode), DETAILS[mode], "", {
      ...(mode === "401" ? { "WWW-Authenticate": 'Basic realm="fusion"' } : {}),
      ...(retry_after === undefined ? {} : { "Retry-After": String(retry_after) }),
    });
  }
}
