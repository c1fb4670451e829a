import { outageOf } from "../../store/unavailable.ts";
import type { Core } from "./dependencies.ts";

/** For going from one workspace to the next: one that is busy with itself is passed over, see {@link passOver}. */
export const briskly = (core: Core): Core => ({ ...core, store: core.store.brisk });

/** Logs that a workspace is left out for now, as what it is busy with kept its transaction from being done; rejects with any other error. */
export function passOver({ log }: Pick<Core, "log">, error: unknown, about: { tenantId: string; step: string }) {
  if (outageOf(error) !== "busy") throw error;
  log.warn({ ...about, err: error }, "work.left_out");
}
