import { setTimeout as sleep } from "node:timers/promises";
import { type HaCluster, haMissing, startHa } from "../../cluster/ha.ts";
import { TTL } from "../../cluster/ha-settings.ts";
import { type Kind, type KindOptions, type Outcome, onStore, type Scene } from "../kind.ts";
import { OutageMeter } from "../outage.ts";

const DATABASE = "torture";
const ANSWER_MS = 10_000;
/** The primary's word holds for Patroni's ttl; the rest is for the standby and the service to notice. */
const OUTAGE_MS = (TTL + 1) * 1_000;

/** What happens to the primary, and what is done for it when the other one has taken over. */
interface Fate {
  strike(cluster: HaCluster, primary: number): Promise<void>;
  mend(cluster: HaCluster, place: number): Promise<void>;
}

/** The fate of one primary after the other, while the load goes on. */
async function disturb(cluster: HaCluster, fate: Fate, { fleet, world, load, random, tally }: Scene): Promise<void> {
  tally.expect({ failed: true, cut: true, refused: true });
  tally.hold({ answerMs: ANSWER_MS });
  const meter = new OutageMeter(fleet.url, world.tenants[0]);
  const outages: number[] = [];
  try {
    while (!load.over) {
      await sleep(random.between(5_000, 20_000));
      const primary = await cluster.primary();
      if (load.over || primary === null) continue;
      meter.begin();
      await fate.strike(cluster, primary);
      await cluster.until(() => cluster.at(1 - primary).isPrimary(), "nobody takes over");
      outages.push(await meter.end());
      await sleep(random.between(0, 4_000));
      await fate.mend(cluster, primary);
      await cluster.whole();
    }
  } finally {
    meter.close();
  }
  const told = outages.map((ms) => (ms / 1_000).toFixed(1)).join(", ");
  tally.notes.push(`nothing was written for ${told} s (limit ${OUTAGE_MS / 1_000})`);
  for (const ms of outages.filter((one) => one > OUTAGE_MS))
    tally.breach(`nothing was written for ${Math.round(ms)} ms`);
}

/** A fleet of two processes on it, under load. */
async function onPatroni(options: KindOptions, fate: Fate): Promise<Outcome> {
  const cluster = await startHa();
  if (cluster === null) return { leftOut: haMissing() ?? "no PostgreSQL binaries here" };
  try {
    await cluster.createDatabase(DATABASE);
    const databaseUrl = cluster.urlOf(DATABASE, process.env.HA_THROUGH === "haproxy" ? "haproxy" : "hosts");
    return await onStore({ databaseUrl }, options, { size: 2, disturb: (scene) => disturb(cluster, fate, scene) });
  } finally {
    await cluster.stop();
  }
}

const kindOf = (name: string, what: string, fate: Fate): Kind => ({
  name,
  does: `${what}, and Patroni has its synchronous standby take over; two processes; writing goes on within ${OUTAGE_MS / 1_000} s, refused calls have Retry-After`,
  run: (options) => onPatroni(options, fate),
});

/** The primary's machine dies; it comes back as the standby. */
export const killed: Kind = kindOf("ha-killed", "the primary and its Patroni are killed", {
  strike: (cluster, primary) => cluster.at(primary).kill(),
  mend: async (cluster, place) => cluster.at(place).start(),
});

/** The primary's machine stands still, wakes up when another one is the primary, and takes notice by itself. */
export const frozen: Kind = kindOf("ha-frozen", "the primary and its Patroni stand still (SIGSTOP)", {
  strike: async (cluster, primary) => cluster.at(primary).freeze(),
  mend: async (cluster, place) => cluster.at(place).thaw(),
});

/** A person changes places, as for maintenance. */
export const switched: Kind = kindOf("ha-switched", "primary and standby change places (patronictl)", {
  strike: (cluster) => cluster.switchOver(),
  mend: async () => undefined,
});
