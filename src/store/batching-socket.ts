import { Socket } from "node:net";

type Told = (error?: Error | null) => void;

/**
 * A connection that sends what is written to it once whoever writes has no more to say: a transaction's begin and its
 * first statement are one packet instead of two, and handing packets over is most of what a short statement costs.
 */
export class BatchingSocket extends Socket {
  #isHeld = false;

  override write(buffer: Uint8Array | string, told?: Told): boolean;
  override write(text: Uint8Array | string, encoding?: BufferEncoding, told?: Told): boolean;
  override write(data: Uint8Array | string, encoding?: BufferEncoding | Told, told?: Told): boolean {
    if (!this.#isHeld) {
      this.#isHeld = true;
      this.cork();
      process.nextTick(() => {
        this.#isHeld = false;
        this.uncork();
      });
    }
    return typeof encoding === "string" ? super.write(data, encoding, told) : super.write(data, encoding);
  }
}
