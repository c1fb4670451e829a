import type { Core } from "../core/gate/core.ts";

/** What commands work with, in the running service or in a process of their own. */
export interface AdminContext {
  readonly core: Core;
  /** `{base_url}`: where people and payment providers reach the service. */
  readonly publicUrl: string;
  /** The data folder that holds the encryption key; null where the key comes from the environment. */
  readonly keyFolder: string | null;
  /** Aborted when the service stops: whatever still waits gives up. */
  readonly signal: AbortSignal;
  /**
   * Works on a run that was reserved, to its end, where no running service is sure to; `wait` says that the operator wants to
   * see it. Null in the service itself, whose jobs do.
   */
  readonly leadRun: ((run: { tenantId: string; syncRunId: string; wait: boolean }) => Promise<void>) | null;
  /** What the operator typed to confirm what they were told this command would do; absent before that. */
  readonly confirmed?: string;
}
