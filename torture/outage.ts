import { setTimeout as sleep } from "node:timers/promises";
import type { Tenant } from "./tenant.ts";

const EVERY_MS = 200;
/** An answer that takes longer is not waited for. */
const PATIENCE_MS = 10_000;
/** Two settings in turn: each request writes. */
const MINUTES = [60, 120];

/** Has something small written through the service five times a second, and knows when it was. */
export class OutageMeter {
  readonly #url: string;
  readonly #key: string;
  readonly #timer: NodeJS.Timeout;
  #asked = 0;
  #lastWritten = performance.now();
  #longest = 0;

  constructor(origin: string, { connectionId, key }: Tenant) {
    this.#url = `${origin}/v1/erp-connections/${connectionId}/sync-schedule`;
    this.#key = key;
    this.#timer = setInterval(() => void this.#write(), EVERY_MS);
  }

  /** Forgets what was before. */
  begin(): void {
    this.#lastWritten = performance.now();
    this.#longest = 0;
  }

  /** Resolves as something is written that was asked for after now; the longest time without, in milliseconds. */
  async end(): Promise<number> {
    const from = performance.now() + EVERY_MS;
    while (this.#lastWritten < from) await sleep(EVERY_MS / 4);
    return this.#longest;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #write(): Promise<void> {
    this.#asked += 1;
    const body = JSON.stringify({
      enabled: false,
      interval_minutes: MINUTES[this.#asked % MINUTES.length],
    });
    const headers = { Authorization: `Bearer ${this.#key}`, "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      const answer = await fetch(this.#url, { method: "POST", headers, body, signal });
      await answer.text();
      if (answer.status === 200) this.#written();
      else if (answer.status < 500) throw new Error(`${this.#url} was refused: ${answer.status}`);
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    }
  }

  #written(): void {
    const now = performance.now();
    this.#longest = Math.max(this.#longest, now - this.#lastWritten);
    this.#lastWritten = now;
  }
}
