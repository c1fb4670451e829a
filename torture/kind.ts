import pg from "pg";
import type { Core } from "../src/core/gate/dependencies.ts";
import type { Random } from "../src/simulators/fusion/random.ts";
import { type Fleet, startFleet } from "../test/support/fleet.ts";
import { startPostgres, type ThrowawayPostgres } from "../test/support/postgres.ts";
import { type ReplicatedPostgres, startReplicated } from "../test/support/replicated-postgres.ts";
import { startScript } from "../test/support/start-script.ts";
import { type Clock, turnableClock } from "./clock.ts";
import { LONGEST_LOAD_MS, Load } from "./load.ts";
import { Tally } from "./tally.ts";
import type { Tenant } from "./tenant.ts";
import { LONGEST_SETTLING_MS, settle } from "./verdict.ts";
import { makeWorld, type World, type WorldOptions } from "./world.ts";

export interface KindOptions {
  readonly requests: number;
  readonly random: Random;
  /** To be told now and then how far it is. */
  readonly tell?: (progress: string) => void;
}

/** What came of a kind, or why this machine cannot have it. */
export type Outcome = Tally | { readonly leftOut: string };

/** One kind of fault. */
export interface Kind {
  readonly name: string;
  /** What it does to the service, in a line. */
  readonly does: string;
  run(options: KindOptions): Promise<Outcome>;
}

/** The longest a kind takes, starting and the last answers included. */
export const LONGEST_KIND_MS = LONGEST_LOAD_MS + LONGEST_SETTLING_MS + 4 * 60_000;

/** What a fault is done to, while the load goes on. */
export interface Scene {
  readonly fleet: Fleet;
  readonly world: World;
  readonly load: Load;
  readonly tally: Tally;
  readonly random: Random;
  /** Of the processes. */
  readonly clock: Clock;
}

export interface SceneOptions extends Partial<WorldOptions> {
  readonly size?: number;
  /** Callers at once; more of them where many wait. */
  readonly atOnce?: number;
  readonly mayRunOut?: boolean;
  /** Of the processes, besides. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A module that the processes load first. */
  readonly preload?: string;
  /** What a person does for a tenant about work that waits for one, when the load is over. */
  readonly mend?: (core: Core, tenant: Tenant) => Promise<unknown>;
  /** Goes on until the load is over, and puts right again what it broke. */
  disturb(scene: Scene): Promise<void>;
}

/** Rate limits are proved elsewhere; here they would hold the load up. */
const UNLIMITED = { RATE_LIMITS: "off" };

const TELL_MS = 15_000;

/** Of what the processes logged, the most frequent. */
const ERRORS_SHOWN = 6;

/** How many parts a tenant needs, for so many requests of {@link Load}. */
const partsFor = (requests: number): number => Math.ceil(requests * 0.12) + 30;

/** A fleet on a PostgreSQL of its own, under load, disturbed; what came of it. */
export async function onPostgres(
  options: KindOptions,
  scene: Omit<SceneOptions, "disturb"> & { disturb(scene: Scene & { postgres: ThrowawayPostgres }): Promise<void> },
): Promise<Outcome> {
  const postgres = await startPostgres();
  if (postgres === null) return { leftOut: "no PostgreSQL binaries here" };
  process.once("exit", postgres.stop);
  try {
    const disturb = (quiet: Scene): Promise<void> => scene.disturb({ ...quiet, postgres });
    return await onStore({ databaseUrl: await freshDatabase(postgres.url) }, options, { ...scene, disturb });
  } finally {
    process.off("exit", postgres.stop);
    postgres.stop();
  }
}

/** The same on a store that is there; the embedded one serves one process. */
export async function onStore(
  location: { readonly databaseUrl: string } | { readonly dataDir: string },
  { requests, random, tell }: KindOptions,
  { size = 3, atOnce = 12, mayRunOut = false, mend, disturb, environment = {}, preload, ...options }: SceneOptions,
): Promise<Tally> {
  const tally = new Tally();
  const clock = turnableClock();
  const telling = setInterval(() => tell?.(`${tally.requests} requests, ${tally.stage}`), TELL_MS);
  const leftover: (() => unknown)[] = [clock.remove, () => clearInterval(telling)];
  try {
    const world = await makeWorld(location, { parts: partsFor(requests), ...options });
    leftover.push(world.close);
    const imports = `${clock.environment.NODE_OPTIONS}${preload === undefined ? "" : ` --import=${preload}`}`;
    const start = startScript();
    const shared = {
      ...start.environment,
      ...world.environment,
      ...UNLIMITED,
      ...clock.environment,
      NODE_OPTIONS: imports,
    };
    const fleet = await startFleet(size, { ...shared, ...environment }, start.flags);
    leftover.push(fleet.close);
    const load = new Load({ world, origin: fleet.url, tally, random, requests, atOnce, mayRunOut });
    const scene: Scene = { fleet, world, load, tally, random, clock };
    await load.begin();
    tally.stage = "under load";
    await Promise.all([load.run(), disturb(scene)]);
    tally.stage = "the last answers";
    await load.finish();
    await settle({ ...scene, ...(mend === undefined ? {} : { mend }) });
    const errors = [...fleet.errors()].sort(([, times], [, others]) => others - times);
    // Where a limit was not kept, the one that tells why may be rare.
    const shown = tally.breaches > 0 ? errors : errors.slice(0, ERRORS_SHOWN);
    for (const [error, times] of shown) tally.notes.push(`logged ${times} times: ${error}`);
  } finally {
    for (const clean of leftover.reverse()) await clean();
  }
  return tally;
}

/** A fleet on a primary and its synchronous standby, which it is told of both, under load, disturbed. */
export async function onReplicated(
  options: KindOptions,
  scene: Omit<SceneOptions, "disturb"> & { disturb(scene: Scene & { postgres: ReplicatedPostgres }): Promise<void> },
): Promise<Outcome> {
  const postgres = await startReplicated();
  if (postgres === null) return { leftOut: "no PostgreSQL binaries here" };
  process.once("exit", postgres.stop);
  try {
    await makeDatabase(postgres.urlAt(postgres.primary));
    const disturb = (quiet: Scene): Promise<void> => scene.disturb({ ...quiet, postgres });
    return await onStore({ databaseUrl: postgres.urlOf(DATABASE) }, options, { ...scene, disturb });
  } finally {
    process.off("exit", postgres.stop);
    postgres.stop();
  }
}

const DATABASE = "torture";

async function freshDatabase(url: string): Promise<string> {
  await makeDatabase(`${url}postgres`);
  return `${url}${DATABASE}`;
}

async function makeDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`create database ${DATABASE}`);
  await client.end();
}
