import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EmbeddedSession } from "./session.ts";

/** The data folder is held by another process: the embedded store belongs to one (facts: it has no lock of its own). */
export class StoreLockedError extends Error {
  override readonly name = "StoreLockedError";
  constructor(directory: string) {
    super(`DATA_DIR: ${directory} is in use by another process; the embedded store belongs to one process at a time`);
  }
}

/** Whether a data folder holds an embedded store, or one that is being made. */
export const hasEmbeddedStore = (dataDirectory: string): boolean => existsSync(join(dataDirectory, STORE));

/** Where below the data folder it is. */
const STORE = "store";
/** The place of a store that is only in memory and cannot be opened again. */
const MEMORY = "memory://";
/** How long opening a failed store again may take, and the pause between attempts. */
const REOPENING_MS = 30_000;
const REOPEN_EVERY_MS = 1_000;

/**
 * Takes the folder's lock: an exclusive SQLite transaction, which the kernel lets go of even after kill -9.
 * Returns what releases it. Throws {@link StoreLockedError}.
 */
function lockDirectory(directory: string): () => void {
  const lock = new DatabaseSync(join(directory, "store.lock"));
  try {
    lock.exec("pragma busy_timeout = 0; begin exclusive");
  } catch {
    lock.close();
    throw new StoreLockedError(directory);
  }
  return () => lock.close();
}

/**
 * The embedded store of a data folder: PGlite in a worker thread. When it dies, as of a full disk, its work fails, and it is
 * opened again for the next.
 */
export class EmbeddedProgram {
  readonly #directory: string;
  readonly #unlock: () => void;
  #session: EmbeddedSession;
  #notBefore = 0;
  #closed: Promise<void> | undefined;

  private constructor(session: EmbeddedSession, directory: string, unlock: () => void) {
    this.#session = session;
    this.#directory = directory;
    this.#unlock = unlock;
  }

  /** Opens the store below `dataDirectory` (made 0700 where missing), or one in memory when it is null. */
  static async open(dataDirectory: string | null): Promise<EmbeddedProgram> {
    let directory = MEMORY;
    let unlock = (): void => undefined;
    if (dataDirectory !== null) {
      mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
      chmodSync(dataDirectory, 0o700);
      unlock = lockDirectory(dataDirectory);
      directory = join(dataDirectory, STORE);
      mkdirSync(directory, { recursive: true, mode: 0o700 });
    }
    try {
      return new EmbeddedProgram(await EmbeddedSession.open(directory), directory, unlock);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** The open session. Rejects at once for a while after an attempt to open the store failed. */
  async session(): Promise<EmbeddedSession> {
    if (!this.#session.failed) return this.#session;
    if (this.#directory === MEMORY || this.#closed !== undefined || Date.now() < this.#notBefore)
      throw new Error("the embedded store has stopped");
    await this.#session.abandon();
    try {
      this.#session = await EmbeddedSession.open(this.#directory, REOPENING_MS);
      return this.#session;
    } catch (error) {
      this.#notBefore = Date.now() + REOPEN_EVERY_MS;
      throw error;
    }
  }

  /** Closes the store, whose connection has been closed, and lets go of its folder. */
  close(): Promise<void> {
    this.#closed ??= this.#session.end().then(this.#unlock);
    return this.#closed;
  }
}
