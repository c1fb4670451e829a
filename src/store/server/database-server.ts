import { type DatabaseAddress, type DatabaseHost, parseDatabaseUrl, placesOf } from "../../database-url.ts";
import { StoreUnavailable } from "../unavailable.ts";
import { PROBE_MS } from "./limits.ts";
import { noAnswer, ServerClient, type Whereabouts } from "./server-client.ts";

/** Of several hosts none takes writes, each for a reason of its own; the cause is that of one which answered, if any did. */
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

/**
 * The server, or that of several hosts which takes writes, as far as connections to it need to know: where it is, and
 * whether it answers: while it is known to be silent, every connection is given up and none is opened.
 */
export class DatabaseServer implements Whereabouts {
  readonly address: DatabaseAddress;
  /** Which says where it is. */
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

  /** The server at a URL. Throws RangeError for one that cannot be read, which the settings have seen to. */
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

  /** Where the next connection goes; nothing where the driver knows. Rejects where no host takes writes. */
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

  /** A connection could not be made where the server was: the next looks for it. */
  misplaced(): void {
    this.#host = null;
  }

  add(client: ServerClient): void {
    this.#clients.add(client);
  }

  forget(client: ServerClient): void {
    this.#clients.delete(client);
  }

  heard(): void {
    this.#lastHeard = performance.now();
  }

  /** Whether it answered anybody since then, on the clock of `performance.now`. */
  hasAnsweredSince(at: number): boolean {
    return this.#lastHeard > at;
  }

  /** It answers nobody: every connection is given up, and until {@link answers} nobody waits for it. */
  fallsSilent(): void {
    this.#isSilent = true;
    this.misplaced();
    for (const client of this.#clients) client.abandon(noAnswer());
  }

  answers(): void {
    this.#isSilent = false;
  }

  /** Throws StoreUnavailable while it is known to answer nobody. */
  assertAnswering(): void {
    if (this.#isSilent) throw noAnswer();
  }

  /** Asks all hosts at once, for one that is silent must not hold up the others. */
  async #find(hosts: readonly DatabaseHost[]): Promise<DatabaseHost> {
    try {
      return await Promise.any(hosts.map((host) => this.#probe(host)));
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
