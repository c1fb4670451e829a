import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { NOTICES_MISSED, type Notice, STORE_LOST } from "../store.ts";
import { loneConnection } from "./connections.ts";
import { type DatabaseServer, type ServerClient, TAKES_NO_WRITES } from "./database-server.ts";
import { assertOwnSession, BEAT_ANSWER_MS, BEAT_EVERY_MS, inTime } from "./session.ts";

export const CHANNEL = "receivables";

/** Before a lost connection is opened again, at first and then. */
const FIRST_RETRY_MS = 50;
const RETRY_MS = 1_000;

interface ListenerOptions {
  readonly server: DatabaseServer;
  /** Whether it hears notices, or only whether the server answers, as behind a pooler. */
  readonly listens: boolean;
}

/** Listens for notices, and asks every two seconds whether the server is there. While lost, the process is deaf. */
export class NoticeListener {
  readonly #server: DatabaseServer;
  readonly #listens: boolean;
  readonly #notices = new EventEmitter();
  readonly #closing = new AbortController();
  #client: ServerClient | undefined;
  #isDeaf = true;
  #kept: Promise<void> = Promise.resolve();

  constructor({ server, listens }: ListenerOptions) {
    this.#server = server;
    this.#listens = listens;
    this.#notices.setMaxListeners(0);
  }

  /** Whether notices may be missed just now: what would end a call would not be heard. */
  get isDeaf(): boolean {
    return this.#isDeaf;
  }

  /** Resolves once it listens, and goes on by itself. */
  async start(): Promise<void> {
    const client = await this.#open();
    this.#isDeaf = false;
    this.#kept = this.#keep(client);
  }

  subscribe(listener: (notice: Notice) => void): () => void {
    this.#notices.on("notice", listener);
    return () => this.#notices.off("notice", listener);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const client = this.#client;
    await Promise.race([client?.end(), sleep(BEAT_ANSWER_MS, undefined, { ref: false })]);
    client?.abandon(new Error("closed"));
    await this.#kept;
  }

  async #open(): Promise<ServerClient> {
    const client = loneConnection(this.#server);
    this.#client = client;
    client.on("notification", ({ payload }) => this.#tell(JSON.parse(payload ?? "{}")));
    await client.connect();
    // A pooler takes connections while its server is away: only an answer says that it is there.
    await client.query(inTime("select 1"));
    if (this.#listens) {
      await assertOwnSession(client, this.#server.setting, null);
      await client.query(inTime(`listen ${CHANNEL}`));
    }
    return client;
  }

  #tell(notice: Notice) {
    this.#notices.emit("notice", notice);
  }

  /** Stays with a connection until it is lost, and with the next one then. */
  async #keep(first: ServerClient) {
    const { signal } = this.#closing;
    let client: ServerClient | null = first;
    for (let pause = FIRST_RETRY_MS; !signal.aborted; pause = RETRY_MS) {
      if (client !== null) {
        const reason = await this.#lost(client);
        if (signal.aborted) return;
        this.#isDeaf = true;
        // A notice that stops work in progress may have been missed.
        this.#tell({ topic: STORE_LOST, payload: reason });
        pause = FIRST_RETRY_MS;
      }
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      client = await this.#open().catch(() => null);
      if (client === null) continue;
      this.#server.answers();
      this.#isDeaf = false;
      this.#tell({ topic: NOTICES_MISSED, payload: "" });
    }
  }

  /** Resolves when the connection has broken or gives no answer, with the reason. */
  async #lost(client: ServerClient) {
    const ended = new AbortController();
    const broken = once(client, "end", { signal: ended.signal }).then(
      () => "the connection was lost",
      () => "closed",
    );
    try {
      for (;;) {
        const quiet = await Promise.race([broken, sleep(BEAT_EVERY_MS, null, { ref: false })]);
        if (quiet !== null) return quiet;
        const asked = performance.now();
        const answered = client.query("select 1").then(
          () => null,
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
        const silent = sleep(BEAT_ANSWER_MS, "no answer", { ref: false });
        const failure = await Promise.race([answered, broken, silent]);
        if (failure === null && !client.isReadOnly) continue;
        if (failure === null) {
          client.abandon(new Error(TAKES_NO_WRITES));
          return TAKES_NO_WRITES;
        }
        client.abandon(new Error(failure));
        if (failure === "no answer" && !this.#server.hasAnsweredSince(asked)) this.#server.fallsSilent();
        return failure;
      }
    } finally {
      ended.abort();
    }
  }
}
