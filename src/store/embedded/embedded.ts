import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import type { WorkerMessage } from "./worker.ts";

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
const GONE = "the embedded store's folder is gone";
/** How often the folder of an open store is looked for. */
const LOOK_EVERY_MS = 1_000;

/** Takes the folder's lock, a SQLite transaction that ends even by kill -9. Throws {@link StoreLockedError}. */
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

/** The embedded store of a data folder, in a worker thread. When it dies its work fails, and it is opened again. */
export class EmbeddedProgram {
  readonly #directory: string;
  readonly #unlock: () => void;
  #session: EmbeddedSession;
  #notBefore = 0;
  #seenAt = 0;
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

  /** Throws where the folder is gone, and gives the session up: its open files would take writes that nobody finds again. Looks once a second. */
  assertThere() {
    if (this.#directory === MEMORY || Date.now() < this.#seenAt + LOOK_EVERY_MS) return;
    if (!existsSync(join(this.#directory, "PG_VERSION"))) throw this.#session.fail(new Error(GONE));
    this.#seenAt = Date.now();
  }

  /** The open session. Rejects at once for a while after an attempt to open the store failed. */
  async session(): Promise<EmbeddedSession> {
    if (this.#session.failure === undefined) return this.#session;
    if (this.#directory === MEMORY || this.#closed !== undefined || Date.now() < this.#notBefore)
      throw new Error("the embedded store has stopped", { cause: this.#session.failure });
    this.assertThere();
    await this.#session.abandon();
    try {
      this.#session = await EmbeddedSession.open(this.#directory, REOPENING_MS);
      return this.#session;
    } catch (error) {
      this.#notBefore = Date.now() + REOPEN_EVERY_MS;
      // Why it died is mostly why it cannot be opened.
      throw new Error(String(error), { cause: this.#session.failure });
    }
  }

  /** Closes the store, whose connection has been closed, and lets go of its folder. */
  close(): Promise<void> {
    this.#closed ??= this.#session.end().then(this.#unlock);
    return this.#closed;
  }
}

interface Waiting {
  resolve(answer: Uint8Array): void;
  reject(error: Error): void;
}

/** One life of the thread that holds the embedded store, from its opening to its end or accident. */
export class EmbeddedSession {
  readonly #worker: Worker;
  /** In the order in which they were asked, which is that of the answers. */
  readonly #waiting: Waiting[] = [];
  #failure: Error | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (message: WorkerMessage) => {
      if (message instanceof Uint8Array) this.#waiting.shift()?.resolve(message);
      else if (typeof message === "object") this.fail(new Error(`the embedded store has died: ${message.died}`));
    });
    worker.on("error", (error) => this.fail(error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", () => this.fail(new Error("the embedded store has stopped")));
  }

  /** Opens the store in `directory`. Rejects with what keeps it shut, or after `withinMs`. */
  static async open(directory: string, withinMs?: number): Promise<EmbeddedSession> {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: { directory } });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = (): void => reject(new Error("the embedded store did not open in time"));
    const timer = withinMs === undefined ? undefined : setTimeout(late, withinMs);
    worker.once("message", (news: WorkerMessage) =>
      news === "ready" ? resolve() : reject(new Error("the embedded store died as it opened")),
    );
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the embedded store did not open")));
    try {
      await promise;
    } catch (error) {
      await worker.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    return new EmbeddedSession(worker);
  }

  /** By what accident it has come to its end, if it has. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** What PostgreSQL answers to messages of its protocol, the last of which asks for an answer. */
  exchange(messages: Uint8Array): Promise<Uint8Array> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    this.#waiting.push({ resolve, reject });
    this.#worker.postMessage(messages);
    return promise;
  }

  async end(): Promise<void> {
    if (this.#failure !== undefined) return;
    const exited = new Promise<void>((resolve) => this.#worker.once("exit", () => resolve()));
    this.#worker.postMessage("close");
    await exited;
  }

  /** Gives a store up that answers no more; its next opening recovers it, as after any crash. */
  async abandon() {
    await this.#worker.terminate();
  }

  /** Ends it by an accident, which is the failure of all who wait unless there was one before. */
  fail(error: Error) {
    this.#failure ??= error;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#failure);
    return this.#failure;
  }
}
