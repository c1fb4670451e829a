import { Socket } from "node:net";

/**
 * A connection that sends what is written to it in one piece once whoever writes has no more to say: a transaction's
 * begin and its first statement are one packet instead of two, and handing packets over is most of what a short statement
 * costs.
 */
export class BatchingSocket extends Socket {
  #held: Uint8Array[] = [];
  readonly #send: (bytes: Uint8Array, sent?: () => void) => boolean;

  readonly #later: (send: () => void) => void;

  /** `later` says when there is no more to say: when what is being done now is done, or else whenever it calls back. */
  constructor(later: (send: () => void) => void = process.nextTick) {
    super();
    this.#later = later;
    this.#send = this.write.bind(this);
    const write = (bytes: Uint8Array, sent?: () => void): boolean => this.#hold(bytes, sent);
    // A socket puts its own `write` back when it connects: it must not find a place for it.
    Object.defineProperty(this, "write", { get: () => write, set: () => undefined });
  }

  #hold(bytes: Uint8Array, sent: (() => void) | undefined): boolean {
    if (this.#held.length === 0) this.#later(() => this.#sendHeld());
    this.#held.push(bytes);
    if (sent !== undefined) this.#sendHeld(sent);
    return !this.writableNeedDrain;
  }

  #sendHeld(sent?: () => void): void {
    if (this.#held.length === 0) return;
    const [first, ...others] = this.#held;
    this.#held = [];
    if (first !== undefined) this.#send(others.length === 0 ? first : Buffer.concat([first, ...others]), sent);
  }
}
