import type { Core } from "../core/core.ts";

/** What commands work with, in the running service or in a process of their own. */
export interface AdminContext {
  readonly core: Core;
  /** Aborted when the service stops: whatever still waits gives up. */
  readonly signal: AbortSignal;
}
