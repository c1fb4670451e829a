import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyze, startDatabase } from "../../bench/database.ts";
import type { Store } from "../../src/store/store.ts";

/** The stores that a book can be on. */
export const PLACES = { embedded: "the embedded store", postgresql: "PostgreSQL" } as const;
export type PlaceName = keyof typeof PLACES;

/** An empty store of a book's own. */
export interface Place {
  readonly dataDir: string;
  /** Settings of the service that runs on it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Brings the planner's statistics up to date, as the service or the server does by itself after a while. */
  settle(store: Store): Promise<void>;
  clear(): Promise<void>;
}

/** Makes one; null, and said, without a PostgreSQL server. */
export async function openPlace(name: PlaceName): Promise<Place | null> {
  const dataDir = mkdtempSync(join(tmpdir(), "receivables-questions-"));
  const remove = async () => rmSync(dataDir, { recursive: true, force: true });
  const environment = { DATA_DIR: dataDir, ENCRYPTION_KEY: randomBytes(32).toString("base64") };
  if (name === "embedded") return { dataDir, environment, settle: (store) => store.maintain(), clear: remove };
  const database = await startDatabase();
  if (database === null) {
    await remove();
    return null;
  }
  return {
    dataDir,
    environment: { ...environment, DATABASE_URL: database.url },
    settle: () => analyze(database.url),
    async clear() {
      await database.stop();
      await remove();
    },
  };
}
