import { Worker } from "node:worker_threads";
import type { PostgresQueryResult } from "kysely";
import type { WorkerNews, WorkerRequest, WorkerResponse } from "./embedded-worker.ts";
import { queryResult } from "./query-result.ts";

class StoreQueryError extends Error {
  override readonly name = "StoreQueryError";
  constructor(message: string, fields: Record<string, string>) {
    super(message);
    Object.assign(this, fields);
  }
}

interface Waiting {
  resolve(result: PostgresQueryResult<never>): void;
  reject(error: Error): void;
}

/** One life of the thread that holds the embedded store, from its opening to its end or accident. */
export class EmbeddedSession {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #failure: Error | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (message: WorkerResponse | WorkerNews) => {
      if (typeof message === "string") return;
      if ("died" in message) this.#fail(new Error(`the embedded store has died: ${message.died}`));
      else this.#settle(message);
    });
    worker.on("error", (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", () => this.#fail(new Error("the embedded store has stopped")));
  }

  /** Opens the store in `directory`. Rejects with what keeps it shut, or after `withinMs`. */
  static async open(directory: string, withinMs?: number): Promise<EmbeddedSession> {
    const worker = new Worker(new URL("./embedded-worker.ts", import.meta.url), { workerData: { directory } });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = (): void => reject(new Error("the embedded store did not open in time"));
    const timer = withinMs === undefined ? undefined : setTimeout(late, withinMs);
    worker.once("message", (news: WorkerNews) =>
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

  /** Whether it has come to its end by accident. */
  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** Runs one statement; without parameters also several, separated by semicolons, which answer no rows. */
  run(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<never>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const request: WorkerRequest = { id: this.#nextId++, sql, parameters };
    const { promise, resolve, reject } = Promise.withResolvers<PostgresQueryResult<never>>();
    this.#waiting.set(request.id, { resolve, reject });
    this.#worker.postMessage(request);
    return promise;
  }

  /** Closes the store in order. */
  async end(): Promise<void> {
    if (this.#failure !== undefined) return;
    const exited = new Promise<void>((resolve) => this.#worker.once("exit", () => resolve()));
    this.#worker.postMessage("close");
    await exited;
  }

  /** Gives a store up that answers no more; its next opening recovers it, as after any crash. */
  async abandon(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(response: WorkerResponse): void {
    const waiting = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    if (waiting === undefined) return;
    if ("error" in response) waiting.reject(new StoreQueryError(response.error.message, response.error.fields));
    else waiting.resolve(queryResult(response));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
  }
}
