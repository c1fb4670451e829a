import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CollectingProcessPlan, ProcessNews, ProcessOrder } from "./collecting-process.ts";
import { SHORT_LIVED } from "./server.ts";

const SCRIPT = join(import.meta.dirname, "collecting-process.ts");

/** One life of a service that collects, made to be killed. */
export class Life {
  readonly #process: ChildProcess;
  readonly #news: ProcessNews[] = [];
  readonly exited: Promise<void>;
  #errors = "";
  #closed = false;

  constructor(plan: CollectingProcessPlan) {
    this.#process = fork(SCRIPT, [JSON.stringify(plan)], {
      execArgv: SHORT_LIVED,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.exited = new Promise((resolve) => this.#process.once("exit", () => resolve()));
    this.#process.once("close", () => {
      this.#closed = true;
    });
    this.#process.stderr?.on("data", (chunk) => {
      this.#errors += String(chunk);
    });
    this.#process.on("message", (news: ProcessNews) => void this.#news.push(news));
  }

  tell(order: ProcessOrder): void {
    this.#process.send(order);
  }

  async until<What extends ProcessNews["what"]>(what: What): Promise<Extract<ProcessNews, { what: What }>> {
    for (;;) {
      // Its last words may be read after its end is known: only when nothing can come any more is it over.
      const isOver = this.#closed && !this.#process.connected;
      const news = this.#news.find((one): one is Extract<ProcessNews, { what: What }> => one.what === what);
      if (news !== undefined) return news;
      if (isOver) throw new Error(`the process ended before "${what}": ${this.#errors}`);
      await sleep(5);
    }
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.exited;
  }
}
