import { Duplex } from "node:stream";
import type { EmbeddedSession } from "../embedded/embedded.ts";

/** A server's answer to a startup message: authentication succeeded, ready for queries. */
const WELCOME = Buffer.from([..."R\0\0\0\x08\0\0\0\0", ..."Z\0\0\0\x05I"].map((one) => one.charCodeAt(0)));
/** What a message begins with that ends a connection. */
const TERMINATE = "X".charCodeAt(0);

/** The embedded store as a socket to `pg`. What was held back goes over in one piece: the trip is most of the cost. */
export class EmbeddedSocket extends Duplex {
  readonly #open: () => Promise<EmbeddedSession>;
  #session: EmbeddedSession | undefined;
  #isWelcome = false;

  constructor(open: () => Promise<EmbeddedSession>) {
    super();
    this.#open = open;
  }

  /** As of a socket, whose arguments mean nothing here. */
  connect(): this {
    this.#open().then(
      (session) => {
        this.#session = session;
        this.emit("connect");
      },
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  readonly setNoDelay = (): this => this;
  readonly ref = this.setNoDelay;
  readonly unref = this.setNoDelay;

  override _read(): void {}

  override _write(bytes: Uint8Array, _encoding: string, done: () => void): void {
    done();
    this.#say(bytes);
  }

  override _writev(pieces: readonly { chunk: Uint8Array }[], done: () => void): void {
    done();
    this.#say(Buffer.concat(pieces.map(({ chunk }) => chunk)));
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  #say(bytes: Uint8Array) {
    if (!this.#isWelcome) {
      this.#isWelcome = true;
      this.push(WELCOME);
      return;
    }
    if (bytes[0] === TERMINATE) return;
    this.#session?.exchange(bytes).then(
      (answer) => {
        if (!this.readableEnded && !this.destroyed) this.push(answer);
      },
      (error: Error) => this.destroy(error),
    );
  }
}
