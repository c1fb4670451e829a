import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../src/simulators/fusion/random.ts";
import type { FaultInput } from "../../src/simulators/stripe/faults.ts";
import { type Kind, onPostgres, type Scene } from "../kind.ts";
import { type Lie, type LyingProxy, startLyingProxy } from "../lying-proxy.ts";

/** How payment providers fail; of the refusals of a key there are none, for they are final. */
const FAULTS: [FaultInput, ...FaultInput[]] = [
  { mode: "ok", latency_ms: 500 },
  { mode: "500" },
  { mode: "503" },
  { mode: "429" },
  { mode: "drop" },
  { mode: "500_after" },
  { mode: "drop_after" },
  { mode: "hang", times: 1 },
  { mode: "hang_after", times: 1 },
];

/** What a provider may answer of a link that it made. The last one is no lie yet: it tells the next one what this one was. */
const liesOf = (): [Lie, ...Lie[]] => {
  let earlier: string | undefined;
  return [
    (told) => told.slice(0, -20),
    () => "<html>Signed out</html>",
    (told) => JSON.stringify({ ...JSON.parse(told), metadata: {} }),
    (told) => JSON.stringify({ ...JSON.parse(told), url: "javascript:alert(1)" }),
    (told) => {
      const before = earlier ?? told;
      earlier = told;
      return before;
    },
  ];
};

const isMaking = (method: string, { pathname }: URL): boolean => method === "POST" && pathname === "/v1/payment_links";

/** A notification that was taken comes again, is told to another workspace, or was altered or signed by somebody else. */
async function mislead({ world, random, tally }: Scene): Promise<void> {
  const { stripe } = random.pick(world.tenants);
  const told = random.pick(world.tenants).stripe;
  const events = told.events.slice(-20);
  const event = events[random.between(0, events.length - 1)];
  if (event === undefined) return;
  if (random.chance(60)) return void (await stripe.deliver(event));
  const forged = random.chance(50)
    ? { secret: "whsec_of_somebody_else" }
    : { alter: (payload: string) => payload.replace(/"amount(_received|_total)?": \d/g, "$&9") };
  const [status] = await told.deliver(event, forged);
  const isUnaltered = forged.secret === undefined && forged.alter(event.payload) === event.payload;
  if (status === 200 && !isUnaltered) tally.count("doubled", `a forged notification of ${event.id} was taken`);
}

async function faultsOf(scene: Scene): Promise<number> {
  const { world, load, random } = scene;
  let faults = 0;
  for (; !load.over; faults += 1) {
    random.pick(world.tenants).stripe.control({ ...random.pick(FAULTS), after: random.between(0, 3) });
    await mislead(scene);
    await sleep(random.between(200, 1_200));
    random.pick(world.tenants).stripe.control({ mode: "ok" });
  }
  for (const { stripe } of world.tenants) stripe.control({ mode: "ok" });
  return faults;
}

const lieNow = (random: Random): (() => Lie | null) => {
  // Its own: what one provider told earlier is not for another one to tell.
  const lies = liesOf();
  return () => (random.chance(15) ? random.pick(lies) : null);
};

/** Payment providers that are slow, silent, broken off, failing or lying, before and after a link was made or withdrawn. */
export default {
  name: "provider-faults",
  does: "the payment provider is slow, hangs, drops, fails and lies, before and after a link was made; two processes",
  async run(options) {
    const proxies: LyingProxy[] = [];
    try {
      return await onPostgres(options, {
        size: 2,
        atOnce: 30,
        async providerAt(simulator) {
          const proxy = await startLyingProxy(simulator, isMaking);
          proxies.push(proxy);
          return proxy.url;
        },
        async disturb(scene) {
          const { random, tally } = scene;
          tally.expect({ failed: true });
          for (const proxy of proxies) proxy.lie = lieNow(random);
          const faults = await faultsOf(scene);
          for (const proxy of proxies) proxy.lie = null;
          tally.notes.push(`${faults} faults, ${proxies.reduce((sum, proxy) => sum + proxy.lies, 0)} lies`);
        },
      });
    } finally {
      await Promise.all(proxies.map((proxy) => proxy.close()));
    }
  },
} satisfies Kind;
