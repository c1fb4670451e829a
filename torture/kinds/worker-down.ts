import { setTimeout as sleep } from "node:timers/promises";
import { type CitusCluster, citusMissing, startCitus } from "../../cluster/citus.ts";
import { CitusPlacement } from "../../cluster/citus-placement.ts";
import { openPostgres } from "../../src/store/database.ts";
import { type Kind, onStore, type Scene } from "../kind.ts";
import type { Tenant } from "../tenant.ts";

const ANSWER_MS = 10_000;
const LOOK_MS = 100;
/** How a workspace whose worker is away is refused, on each route. */
const AWAY = /The service cannot reach its database just now\. Try again\.$|^POST \/oauth\/token: /;

/** The workspace at that place lies on the worker of that number. */
const workerOfPlace = (n: number): number => n % 2;

/** One worker is stopped or crashes, stays away for a while, and comes back. */
async function disturb(cluster: CitusCluster, { fleet, world, load, random, tally }: Scene): Promise<void> {
  const down = random.pick([0, 1]);
  const [own, others] = [0, 1].map((side) =>
    world.tenants.filter((_, n) => (workerOfPlace(n) === down) === (side === 0)),
  );
  const [first] = own ?? [];
  if (first === undefined || others === undefined) throw new Error("there are workspaces on each worker");
  tally.expect({ failed: true, cut: true, refused: true });
  tally.hold({ answerMs: ANSWER_MS, mayFailWith: AWAY });
  for (const { marker } of others) tally.sheltered.add(marker);
  const ask = ({ key }: Tenant): Promise<Response> =>
    fetch(`${fleet.url}/v1/invoices?limit=1`, { headers: { Authorization: `Bearer ${key}` } });
  const returns: number[] = [];
  while (!load.over) {
    await sleep(random.between(2_000, 6_000));
    if (load.over) break;
    await cluster.stopWorker(down, random.pick(["fast", "immediate"]));
    const refused = await ask(first);
    if (refused.status !== 500 || refused.headers.get("Retry-After") === null)
      tally.breach(`a workspace on the stopped worker was answered ${refused.status}`);
    await sleep(random.between(1_000, 5_000));
    await cluster.startWorker(down);
    const started = performance.now();
    while ((await ask(first)).status !== 200) await sleep(LOOK_MS);
    returns.push(performance.now() - started);
  }
  const longest = Math.max(0, ...returns);
  tally.notes.push(
    `${returns.length} outages of one worker; its workspaces were served within ${(longest / 1_000).toFixed(1)} s of its start`,
  );
}

export default {
  name: "worker-down",
  does: "one of two Citus workers is stopped, or crashes, and is started again; its workspaces are refused with Retry-After, the others go on without an error; two processes",
  async run(options) {
    const cluster = await startCitus();
    if (cluster === null) return { leftOut: citusMissing() };
    process.once("exit", cluster.stop);
    try {
      const databaseUrl = await cluster.createDatabase("torture");
      await (await openPostgres(databaseUrl)).close();
      const placement = await CitusPlacement.of(cluster, databaseUrl);
      const idOf = (n: number): Promise<string> => placement.idOn(workerOfPlace(n));
      try {
        return await onStore({ databaseUrl }, options, {
          size: 2,
          idOf,
          disturb: (scene) => disturb(cluster, scene),
        });
      } finally {
        await placement.close();
      }
    } finally {
      process.off("exit", cluster.stop);
      cluster.stop();
    }
  },
} satisfies Kind;
