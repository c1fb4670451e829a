import { Socket } from "node:net";

/**
 * A connection that sends what is written to it once whoever writes has no more to say: a transaction's begin and its
 * first statement are one packet instead of two, and handing packets over is most of what a short statement costs.
 */
export class BatchingSocket extends Socket {
  #isHeld = false;

  constructor() {
    super();
    const { write } = this;
    const batched = (...written: unknown[]): boolean => {
      this.#hold();
      return Reflect.apply(write, this, written);
    };
    // A socket puts its own `write` back when it connects: it must not find a place for it.
    Object.defineProperty(this, "write", { get: () => batched, set: () => undefined });
  }

  #hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.cork();
    process.nextTick(() => {
      this.#isHeld = false;
      this.uncork();
    });
  }
}
