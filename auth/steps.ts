import { setTimeout } from "node:timers/promises";

/** What depends on whether an email has an account takes less than this, and does not show in an answer at a multiple of it. */
const STEP_MS = 250;

/** Waits until the time since `began` (of `performance.now`) is a multiple of {@link STEP_MS}. */
export async function nextStep(began: number): Promise<void> {
  await setTimeout(STEP_MS - ((performance.now() - began) % STEP_MS));
}
