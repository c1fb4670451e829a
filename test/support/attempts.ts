import type { Core } from "../../src/core/gate/dependencies.ts";
import { windowAt } from "../../src/core/gate/rate-limits.ts";
import { everyRow } from "./every-row.ts";

/** Says of a subject (`<limit>:<who>`) that so many attempts were counted in the window of now. */
export async function setAttempts(core: Core, subject: string, windowSeconds: number, hits: number): Promise<void> {
  const { start: window_start } = windowAt(core.clock.now(), windowSeconds);
  await everyRow(core.store, (tx) =>
    tx
      .insertInto("attempt_windows")
      .values({ subject, window_start, hits })
      .onConflict((conflict) => conflict.columns(["subject", "window_start"]).doUpdateSet({ hits }))
      .execute(),
  );
}
