import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type DatabaseAddress, type DatabaseHost, parseDatabaseUrl, placesOf } from "../../database-url.ts";
import { StoreUnavailable } from "../unavailable.ts";
import { PROBE_AGAIN_MS, PROBE_MS } from "./session.ts";

/** None of several hosts takes writes. The cause is the error of a host that answered, if any did. */
export class NoWritingHost extends StoreUnavailable {
  /** By host, in the URL's order. */
  readonly reasons: readonly { readonly place: string; readonly reason: unknown }[];

  constructor(hosts: readonly DatabaseHost[], errors: readonly unknown[]) {
    const reasons = hosts.map((host, index) => ({ place: placeOf(host), reason: errors[index] }));
    const told = reasons.map(({ place, reason }) => `${place}: ${String(reason)}`).join("; ");
    super(`no server that takes writes: ${told}`, { cause: errors.find(isOfServer) ?? errors[0] });
    this.reasons = reasons;
  }
}

const placeOf = ({ host, port }: DatabaseHost): string => `${host.includes(":") ? `[${host}]` : host}:${port}`;

/** Whether the server itself said it. */
const isOfServer = (error: unknown): boolean => error instanceof Error && "severity" in error;

/** The server, or of several hosts the one that takes writes. While it is silent no connection is opened. */
export class DatabaseServer {
  readonly address: DatabaseAddress;
  /** The setting that holds its URL. */
  readonly setting: string;
  readonly #clients = new Set<ServerClient>();
  #host: DatabaseHost | null = null;
  #finding: Promise<DatabaseHost> | null = null;
  #lastHeard = 0;
  #isSilent = false;

  constructor(address: DatabaseAddress, setting: string) {
    this.address = address;
    this.setting = setting;
  }

  /** The server at a URL. Throws RangeError for one that cannot be read; the settings are checked before. */
  static at(databaseUrl: string, setting = "DATABASE_URL"): DatabaseServer {
    const address = parseDatabaseUrl(databaseUrl);
    if (typeof address === "string") throw new RangeError(`a database URL ${address}`);
    return new DatabaseServer(address, setting);
  }

  /** Its hosts and ports, for a line that anybody may read. */
  get places(): string {
    const { hosts, connectionString } = this.address;
    return hosts.length === 0 ? placesOf(connectionString) : hosts.map(placeOf).join(", ");
  }

  /** Where the next connection goes; an empty object leaves it to the driver. Rejects where no host takes writes. */
  async host(): Promise<DatabaseHost | object> {
    const { hosts } = this.address;
    if (hosts.length === 0) return {};
    if (this.#host !== null) return this.#host;
    this.#finding ??= this.#find(hosts).finally(() => {
      this.#finding = null;
    });
    this.#host = await this.#finding;
    return this.#host;
  }

  /** Connecting to the known host failed: the next connection looks for the server again. */
  misplaced() {
    this.#host = null;
  }

  add(client: ServerClient) {
    this.#clients.add(client);
  }

  forget(client: ServerClient) {
    this.#clients.delete(client);
  }

  heard() {
    this.#lastHeard = performance.now();
  }

  /** Whether it has answered since then, on the clock of `performance.now`. */
  hasAnsweredSince(at: number) {
    return this.#lastHeard > at;
  }

  /** It does not answer: connections are given up, and none is opened until {@link answers}. */
  fallsSilent() {
    this.#isSilent = true;
    this.misplaced();
    for (const client of this.#clients) client.abandon(noAnswer());
  }

  answers() {
    this.#isSilent = false;
  }

  /** Throws StoreUnavailable while it is known not to answer. */
  assertAnswering() {
    if (this.#isSilent) throw noAnswer();
  }

  /** Asks all hosts at once; while one of them is silent, those that take no writes are asked again, for they may be promoted. */
  async #find(hosts: readonly DatabaseHost[]): Promise<DatabaseHost> {
    let unanswered = hosts.length;
    const ask = async (host: DatabaseHost): Promise<DatabaseHost> => {
      const first = this.#probe(host);
      first
        .catch(() => undefined)
        .finally(() => {
          unanswered -= 1;
        });
      for (let answer = first; ; answer = this.#probe(host)) {
        try {
          return await answer;
        } catch (error) {
          await sleep(PROBE_AGAIN_MS);
          if (unanswered === 0) throw error;
        }
      }
    };
    try {
      return await Promise.any(hosts.map(ask));
    } catch (error) {
      throw error instanceof AggregateError ? new NoWritingHost(hosts, error.errors) : error;
    }
  }

  async #probe(host: DatabaseHost): Promise<DatabaseHost> {
    const { connectionString } = this.address;
    const only = new DatabaseServer({ ...this.address, hosts: [] }, this.setting);
    const client = new ServerClient({ connectionString, connectionTimeoutMillis: PROBE_MS }, only);
    Object.assign(client, host);
    await client.connect();
    client.end().catch(() => undefined);
    return host;
  }
}

/** What pg says of a server that took no connection in time. */
const TIMED_OUT = "timeout expired";

/** A server that is there, and says nothing. */
const noAnswer = (): StoreUnavailable => new StoreUnavailable("the database does not answer");

export const TAKES_NO_WRITES = "the server takes no writes: it is a standby, or set to be read-only";

/** What PostgreSQL tells of itself as a connection opens, and whenever it changes: it takes no writes. */
const READ_ONLY_PARAMETERS = new Set(["in_hot_standby", "default_transaction_read_only"]);

/** A connection that goes to the host which takes writes, and can be given up. */
export class ServerClient extends pg.Client {
  /** Whether it may find out that a server which was silent answers again. */
  protected readonly mayFindOut: boolean = true;
  readonly #server: DatabaseServer;
  readonly #refusing = new Set<string>();

  constructor(config: pg.ClientConfig | undefined, server: DatabaseServer) {
    super(config);
    this.#server = server;
    const { connection } = this;
    // It may break or be given up at any time; its next statement fails.
    this.on("error", () => undefined);
    connection.stream.on("error", () => undefined);
    connection.on("readyForQuery", () => server.heard());
    connection.on("parameterStatus", (told: { parameterName: string; parameterValue: string }) => {
      const { parameterName: name, parameterValue: value } = told;
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
  abandon(reason: Error) {
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
