import type { Core } from "../core/gate/dependencies.ts";

/** What commands run with, in the running service or in a process of their own. */
export interface AdminContext {
  readonly core: Core;
  /** `{base_url}`: where people and payment providers reach the service. */
  readonly publicUrl: string;
  /** The data folder that holds the encryption key; null where the key comes from the environment. */
  readonly keyFolder: string | null;
  /** Aborted when the service stops: commands stop waiting. */
  readonly signal: AbortSignal;
  /**
   * Runs a reserved sync to its end where no running service is sure to; `wait`: the operator waits for its result.
   * Null in the service itself, whose jobs run it.
   */
  readonly leadRun: ((run: { tenantId: string; syncRunId: string; wait: boolean }) => Promise<void>) | null;
  /** What the operator typed to confirm the command; absent before that. */
  readonly confirmed?: string;
}
