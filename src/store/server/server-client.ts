import pg from "pg";
import type { DatabaseHost } from "../../database-url.ts";
import { StoreUnavailable } from "../unavailable.ts";

/** What a connection needs to know of its server. */
export interface Whereabouts {
  /** Where to connect; an empty object leaves it to the driver. */
  host(): Promise<DatabaseHost | object>;
  /** Connecting there failed. */
  misplaced(): void;
  add(client: ServerClient): void;
  forget(client: ServerClient): void;
  /** Throws while the server is known not to answer. */
  assertAnswering(): void;
  /** The server answered just now. */
  heard(): void;
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** What pg says of a server that took no connection in time. */
const TIMED_OUT = "timeout expired";

/** A server that is there, and says nothing. */
export const noAnswer = (): StoreUnavailable => new StoreUnavailable("the database does not answer");

export const TAKES_NO_WRITES = "the server takes no writes: it is a standby, or set to be read-only";

/** What PostgreSQL tells of itself as a connection opens, and whenever it changes: it takes no writes. */
const READ_ONLY_PARAMETERS = new Set(["in_hot_standby", "default_transaction_read_only"]);

/** A connection that goes to the host which takes writes, and can be given up. */
export class ServerClient extends pg.Client {
  /** Whether it may find out that a server which was silent answers again. */
  protected readonly mayFindOut: boolean = true;
  readonly #server: Whereabouts;
  readonly #refusing = new Set<string>();

  constructor(config: pg.ClientConfig | undefined, server: Whereabouts) {
    super(config);
    this.#server = server;
    const { connection } = this;
    // It may break or be given up at any time; its next statement fails.
    this.on("error", () => undefined);
    connection.stream.on("error", () => undefined);
    connection.on("readyForQuery", () => server.heard());
    connection.on("parameterStatus", ({ parameterName: name, parameterValue: value }: ParameterStatus) => {
      if (READ_ONLY_PARAMETERS.has(name)) this.#refusing[value === "on" ? "add" : "delete"](name);
    });
    this.once("end", () => server.forget(this));
  }

  /** Whether the server it is connected to takes no writes. */
  get isReadOnly(): boolean {
    return this.#refusing.size > 0;
  }

  override connect(): Promise<ServerClient>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: ServerClient) => void)): void;
  override connect(callback?: (...values: never[]) => void): Promise<ServerClient> | undefined {
    const opened = this.#open();
    if (callback === undefined) return opened;
    // What it throws is nobody's to catch, as with pg.
    const call = (...values: unknown[]): void => process.nextTick(() => Reflect.apply(callback, undefined, values));
    opened.then((client) => call(null, client), call);
    return undefined;
  }

  /** Ends the connection without telling the server; statements in progress fail with `reason`. */
  abandon(reason: Error): void {
    this.connection.stream.destroy(reason);
  }

  async #open(): Promise<ServerClient> {
    const server = this.#server;
    server.add(this);
    try {
      if (!this.mayFindOut) server.assertAnswering();
      Object.assign(this, await server.host());
      if (this.connection.stream.destroyed) throw noAnswer();
      await super.connect();
      if (this.isReadOnly) throw new StoreUnavailable(TAKES_NO_WRITES);
      return this;
    } catch (error) {
      server.forget(this);
      server.misplaced();
      this.connection.stream.destroy();
      throw error instanceof Error && error.message === TIMED_OUT ? noAnswer() : error;
    }
  }
}
