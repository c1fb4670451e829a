import { type Core, nowOf } from "../../src/core/core.ts";
import { deleteWindowsBefore } from "../../src/store/failed-attempts.ts";
import { deleteExpiredArtifacts, deleteUnusedClients } from "../../src/store/oidc-artifacts.ts";
import { deleteExpiredSessions } from "../session-queries.ts";

const DAY_MS = 86_400_000;
/** Longer than any window that is counted in. */
const WINDOWS_KEPT_MS = 3_600_000;

/**
 * Deletes what sign-in and the authorization server no longer need: expired codes, tokens and sessions, windows that
 * have ended, and clients registered more than a day ago that nobody ever approved. Connections are never deleted.
 */
export async function tidyAuthorization(core: Pick<Core, "store" | "clock">): Promise<void> {
  const now = nowOf(core);
  const ago = (milliseconds: number): number => core.clock.now().getTime() - milliseconds;
  await core.store.system(async (tx) => {
    await deleteExpiredArtifacts(tx, now);
    await deleteUnusedClients(tx, Math.floor(ago(DAY_MS) / 1000));
    await deleteExpiredSessions(tx, now);
    await deleteWindowsBefore(tx, new Date(ago(WINDOWS_KEPT_MS)).toISOString());
  });
}
