import { Worker } from "node:worker_threads";
import type { WorkerMessage } from "./worker.ts";

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
      else if (typeof message === "object") this.#fail(new Error(`the embedded store has died: ${message.died}`));
    });
    worker.on("error", (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", () => this.#fail(new Error("the embedded store has stopped")));
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

  /** Whether it has come to its end by accident. */
  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** What PostgreSQL answers to messages of its protocol, the last of which asks for an answer. */
  exchange(messages: Uint8Array): Promise<Uint8Array> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    this.#waiting.push({ resolve, reject });
    this.#worker.postMessage(messages);
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

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#failure);
  }
}
