import { CompiledQuery } from "kysely";
import { UUID } from "../uuid.ts";
import { keepingAging } from "./aging/rollup.ts";
import type { Backend, Notice, Pace, PoolState, Way } from "./backend.ts";
import { ahead } from "./driver/statements.ts";
import { type InTurn, onceFree, stopWith } from "./once-free.ts";
import { plannedAgain } from "./planned-again.ts";
import { notingRenamed, stampRenamed } from "./renamed-members.ts";
import { durabilityWarnings } from "./server/durability.ts";
import { assertTakesWrites, tryWriting } from "./server/standing.ts";
import { EVERY_WORKER, ONE_SERVER, ofTenants, type Shards } from "./shards.ts";
import { dueFor, takeStatistics, unexpectedRows, type Written } from "./statistics.ts";
import type { Transaction } from "./tables/index.ts";
import { DATABASE_ROLES } from "./tenancy/roles.ts";
import { TenantWall } from "./tenancy/tenant-wall.ts";
import { isStoreUnavailable, StoreUnavailable } from "./unavailable.ts";

export type { Notice, PoolState } from "./backend.ts";
export type { Transaction } from "./tables/index.ts";

/** Topic of the notice that none is heard from now on: the connection they come over was lost. Its payload says why. */
export const STORE_LOST = "store_lost";

/** Topic of the notice that notices may have been missed: the connection they come over was lost, and is there again. */
export const NOTICES_MISSED = "notices_missed";

const AS_SYSTEM = `set local role ${DATABASE_ROLES.system}`;
const BEGIN = "begin";
const BEGIN_LOOKING = "begin read only";
const BEGIN_READING = "begin isolation level repeatable read read only";
const COMMIT = CompiledQuery.raw("commit");
/** The end of a transaction that changed nothing: nobody waits for it. */
const READ = ahead("commit");
/** The same where it is passed on to a worker, which takes longer than sending it by itself: the next one would wait for that. */
const READ_THERE = ahead("commit", { isUrgent: true });
const ROLLBACK = CompiledQuery.raw("rollback");

/** Three doors: transactions for one tenant, for the directory, and a look at every shard. Inside one await only its own handle: there may be one connection. */
export class Store {
  readonly #backend: Backend;
  readonly #pace: Pace;
  readonly #inTurn: InTurn | null;

  constructor(backend: Backend, pace: Pace = "calls", inTurn: InTurn | null = null) {
    this.#backend = backend;
    this.#pace = pace;
    this.#inTurn = inTurn;
  }

  /** The same store for work that nobody waits for: its statements and locks may take long (src/store/server/session.ts). */
  get patient(): Store {
    return new Store(this.#backend, "patient");
  }

  /**
   * The same store for what goes from one workspace to the next, such as claims: it waits behind no other work of a workspace and
   * soon gives up a lock, with StoreUnavailable, so that one that is busy with itself holds up no other.
   */
  get brisk(): Store {
    return new Store(this.#backend, "brisk");
  }

  /**
   * The same store for work that writes much by turns: each attempt of a write is a turn. While another holds what it begins with it
   * has none, and tries again until its signal is aborted.
   */
  inTurns(inTurn: InTurn): Store {
    return new Store(this.#backend, this.#pace, inTurn);
  }

  /** Whether what other processes tell is not heard just now: whom they stop would go on. */
  get isDeaf(): boolean {
    return this.#backend.isDeaf();
  }

  get kind(): "embedded" | "postgres" {
    return this.#backend.kind;
  }

  /** Whether tenants lie on several servers. */
  get isDistributed(): boolean {
    return this.#backend.workers() !== null;
  }

  get #way(): Way {
    return this.#backend.ways[this.#pace];
  }

  get #read(): CompiledQuery {
    return this.isDistributed ? READ_THERE : READ;
  }

  /** Throws StoreUnavailable while {@link isDeaf}: a call that a notice could not stop is not started. */
  assertHearing() {
    if (this.isDeaf) throw new StoreUnavailable("the connection that hears of revocations is lost");
  }

  /** Reads one consistent snapshot of a tenant's rows; resolves without waiting for the end of the transaction. */
  read<T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return plannedAgain(() => this.#tenantTransaction({ begin: BEGIN_READING, end: this.#read }, tenantId, work));
  }

  /**
   * Changes a tenant's rows, and the aging roll-up with them: all of it or nothing. Begins again after HeldByAnother. Once `signal` is
   * aborted no further statement is done, and nothing is committed.
   */
  write<T>(tenantId: string, work: (tx: Transaction) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const attempt = () => this.#tenantTransaction({ signal }, tenantId, (tx) => keepingAging(tx, tenantId, work));
    const inTurn = this.#inTurn;
    return inTurn === null
      ? onceFree(attempt, this.#way.patienceMs, signal)
      : onceFree(() => inTurn(attempt), Number.POSITIVE_INFINITY, signal);
  }

  /**
   * The directory: what is of no tenant, and what leads to one. Of tenants' rows only those of one that each statement names. What may
   * wait for another of the same kind says what it is `about` (a workspace, an address): those take turns by that. `signal` is as for
   * {@link write}.
   */
  async directory<T>(work: (tx: Transaction) => Promise<T>, about?: string, signal?: AbortSignal): Promise<T> {
    const renamed = new Set<string>();
    const transact = () => this.#transaction({ setting: AS_SYSTEM, signal }, (tx) => notingRenamed(tx, renamed, work));
    const result = await (about === undefined ? transact() : this.#way.directoryTurns.run(about, transact));
    // Where the workspace is busy, a job stamps it in a moment; what was done is done.
    for (const tenantId of renamed)
      await this.brisk.write(tenantId, (tx) => stampRenamed(tx, tenantId)).catch(() => undefined);
    return result;
  }

  /** Like {@link directory}, for a single statement by key: one round trip, on a connection shared with others. */
  statement<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { statements } = this.#backend;
    const ask = () => (statements === null || this.#pace !== "calls" ? this.directory(work) : work(statements));
    return plannedAgain(ask);
  }

  /**
   * Looks at the rows of all tenants, and locks none: for what is to be done, and for figures. Where a worker is away, at those on the
   * others, once more, and the shards say so; unless it has to be `whole`. A tenant's own transaction does what was found.
   */
  async everyShard<T>(work: (tx: Transaction, shards: Shards) => Promise<T>, whole?: "whole"): Promise<T> {
    const workers = this.#backend.workers();
    const bounds = { begin: BEGIN_LOOKING, setting: AS_SYSTEM, end: this.#read };
    const attempt = (shards: Shards) => this.#transaction(bounds, (tx) => work(tx, shards));
    try {
      return await attempt(workers === null ? ONE_SERVER : EVERY_WORKER);
    } catch (error) {
      if (workers === null || whole !== undefined || !isStoreUnavailable(error)) throw error;
      const { away, tenants } = await workers.reach();
      if (away.length === 0) throw error;
      return attempt(ofTenants(tenants, away));
    }
  }

  pools(): readonly PoolState[] {
    return this.#backend.pools();
  }

  publish(notice: Notice) {
    return this.#backend.publish(notice);
  }

  subscribe(listener: (notice: Notice) => void): () => void {
    return this.#backend.subscribe(listener);
  }

  maintain() {
    return this.#backend.maintain();
  }

  /**
   * Analyzes tables after a tenant's rows were written, where plans expect far fewer of them, or of the `rows` that are named (on
   * workers, in the tenant's part of the table): autovacuum comes a minute or more later, and plans are bad until then. Does
   * nothing without the privilege. Rejects while another session does it.
   */
  async takeStatistics({ tenantId, tables, rows: known }: Written) {
    const rows = known ?? (await this.read(tenantId, (tx) => unexpectedRows(tx, tenantId, tables)));
    const { database, settings } = this.#backend.ways.patient;
    const { isDue, note } = dueFor(database, { tenantId, tables }, rows);
    if (rows === 0 || (known === undefined && !isDue)) return;
    const begin = beginning(BEGIN, settings);
    // One table after the other: on the embedded store others are served in between.
    for (const table of tables) {
      const one = { tenantId, tables: [table], rows };
      const take = () => database.connection().execute((tx) => takeStatistics(tx, begin, one, this.isDistributed));
      await (this.#inTurn === null ? take() : this.#inTurn(take));
    }
    note();
  }

  /** Resolves where the store is there, and may be written to in both its roles. Throws StoreUnavailable. */
  async ping() {
    await this.#transaction({}, (tx) => assertTakesWrites(tx, DATABASE_ROLES.tenant));
    await this.statement((tx) => assertTakesWrites(tx, DATABASE_ROLES.system));
  }

  /** The same, where it has taken a write besides. */
  async tryWriting() {
    await this.ping();
    await this.#transaction({}, tryWriting);
  }

  /** What an operator should know of the server at the start, a line each. */
  async warnings() {
    return this.kind === "embedded" ? [] : this.#transaction({}, durabilityWarnings);
  }

  close(): Promise<void> {
    return this.#backend.close();
  }

  #tenantTransaction<T>(bounds: Bounds, tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    // The id is set by text to spare a round trip; nothing but a UUID may get there.
    if (!UUID.test(tenantId)) throw new TypeError("a tenant id is a UUID");
    const transact = () =>
      this.#transaction({ ...bounds, setting: `set local app.tenant_id = '${tenantId}'` }, (tx) =>
        work(tx.withPlugin(new TenantWall(tenantId))),
      );
    return this.#way.turns.run(tenantId, transact);
  }

  #transaction<T>(
    { begin = BEGIN, setting = "", end = COMMIT, signal }: Bounds,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const { database, settings } = this.#way;
    return database.connection().execute(async (tx) => {
      await tx.executeQuery(ahead(beginning(begin, settings, setting)));
      try {
        const result = await work(signal === undefined ? tx : tx.withPlugin(stopWith(signal)));
        await tx.executeQuery(end);
        return result;
      } catch (error) {
        // A connection that is gone rolls back by itself; the first error is the one to tell.
        await tx.executeQuery(ROLLBACK).catch(() => undefined);
        throw error;
      }
    });
  }
}

/** How a transaction begins, what it sets for itself, and how it ends. */
interface Bounds {
  readonly begin?: string;
  readonly setting?: string;
  readonly end?: CompiledQuery;
  readonly signal?: AbortSignal | undefined;
}

const beginning = (...statements: readonly string[]): string => statements.filter((one) => one !== "").join("; ");
