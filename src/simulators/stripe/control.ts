import { z } from "zod";
import type { StripeAnswer } from "./answers.ts";
import { FaultControl, type StripeFaults } from "./faults.ts";

const Control = z.union([
  FaultControl.required({ mode: true }),
  z.strictObject({ pay: z.string(), delayed: z.boolean().default(false), hold: z.boolean().default(false) }),
  z.strictObject({ deliver: z.literal("pending") }),
]);

/** What `POST /_control` moves. */
interface Controls {
  readonly faults: StripeFaults;
  pay(link: string, options: { delayed: boolean; hold: boolean }): Promise<unknown>;
  deliverPending(): Promise<readonly number[]>;
}

/**
 * `POST /_control`: `{"mode": …}` makes the API fail on purpose, `{"pay": "<link id>"}` is a customer who pays,
 * `{"deliver": "pending"}` sends again what nobody has taken.
 */
export async function readControl(method: string | undefined, body: string, controls: Controls): Promise<StripeAnswer> {
  if (method !== "POST") return { status: 405, body: { error: "POST only" } };
  try {
    const control = Control.parse(JSON.parse(body));
    if ("pay" in control) return { status: 200, body: await controls.pay(control.pay, control) };
    if ("deliver" in control) return { status: 200, body: { deliveries: await controls.deliverPending() } };
    controls.faults.set(control);
    return { status: 200, body: control };
  } catch (error) {
    const message = error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : "";
    return { status: 400, body: { error: message } };
  }
}
