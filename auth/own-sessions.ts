import { type Core, nowOf } from "../src/core/gate/dependencies.ts";
import { deleteOtherSessions, deleteOwnSession, selectOwnSessions } from "./session-queries.ts";
import type { WebSession } from "./sessions.ts";

/** A browser session of a person. */
export interface OwnSession {
  id: string;
  isThis: boolean;
  /** The browser's user agent; null if it was not recorded. */
  userAgent: string | null;
  address: string | null;
  createdAt: string;
  expiresAt: string;
}

/** A person's live sessions, latest first; one that a workspace's provider vouched for sees only those of its kind. */
export async function listOwnSessions(core: Core, session: WebSession): Promise<OwnSession[]> {
  const rows = await core.store.directory((tx) => selectOwnSessions(tx, session, nowOf(core)));
  return rows.map((row) => ({ ...row, isThis: row.id === session.id }));
}

/** Ends one of a person's sessions; has no effect on other people's. */
export async function endOwnSession(core: Core, session: WebSession, id: string): Promise<void> {
  await core.store.directory((tx) => deleteOwnSession(tx, session, id));
}

/** Ends all of a person's sessions but this one. */
export async function endOtherSessions(core: Core, session: WebSession): Promise<void> {
  await core.store.directory((tx) => deleteOtherSessions(tx, session));
}
