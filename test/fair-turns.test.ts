import { expect, it } from "vitest";
import { FairTurns, TooBusy } from "../src/fair-turns.ts";

it("[contract.edges.sign-in.fair-work] sources take turns, known ones first, and what may not wait is refused", async () => {
  const turns = new FairTurns({ concurrency: 1, waitingOfSource: 3, sources: 2 });
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(name);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const waiting = [
    turns.run("a", work("a1")),
    ...["a2", "a3", "a4"].map((name) => turns.run("a", work(name))),
    turns.run("b", work("b1")),
    turns.run("k", work("k1"), { known: true }),
  ];
  await expect(turns.run("a", work("a5"))).rejects.toBeInstanceOf(TooBusy);
  await expect(turns.run("c", work("c1"))).rejects.toBeInstanceOf(TooBusy);
  await Promise.all(waiting);
  expect(order).toEqual(["a1", "k1", "a2", "b1", "a3", "a4"]);
  const failing = turns.run("a", () => Promise.reject(new Error("x")));
  await expect(failing).rejects.toThrow("x");
  await turns.run("a", work("after"));
  expect(order.at(-1)).toBe("after");
});

it("[contract.edges.sign-in.fair-work] work that may not crowd waits only while few sources do", async () => {
  const turns = new FairTurns({ concurrency: 1, waitingOfSource: 5, sources: 20 });
  const order: string[] = [];
  const work = (name: string) => async () => void order.push(name);
  const late = { mayCrowd: false };
  const waiting = ["a", "b", "c"].map((name) => turns.run(name, work(name), late));
  await expect(turns.run("d", work("d"), late)).rejects.toBeInstanceOf(TooBusy);
  await Promise.all([...waiting, turns.run("new", work("new"))]);
  expect(order).toEqual(["a", "b", "c", "new"]);
});

it("[contract.edges.sign-in.fair-work] known sources that go on and on keep no other from its turn", async () => {
  const turns = new FairTurns({ concurrency: 1, waitingOfSource: 10, sources: 2 });
  const order: string[] = [];
  const work = (name: string) => async () => void order.push(name);
  const known = ["k1", "k2", "k3", "k4", "k5", "k6", "k7"];
  await Promise.all([
    turns.run("a", work("a1")),
    ...known.map((name) => turns.run("k", work(name), { known: true })),
    ...["b1", "b2"].map((name) => turns.run("b", work(name))),
  ]);
  expect(order).toEqual(["a1", "k1", "k2", "k3", "b1", "k4", "k5", "k6", "b2", "k7"]);
});

it("[contract.edges.sign-in.fair-work] a turn rests as long as its piece took, and its answer waits for no rest", async () => {
  const turns = new FairTurns({ concurrency: 1, waitingOfSource: 5, sources: 2, rests: 20 });
  const work = () => new Promise<number>((resolve) => setTimeout(() => resolve(performance.now()), 50));
  const [first, second] = [turns.run("a", work), turns.run("a", work)];
  const end = await first;
  expect(performance.now() - end).toBeLessThan(900);
  expect((await second) - end).toBeGreaterThan(1_000);
});

it("[contract.edges.sign-in.fair-work] a rest keeps the turn of its source, and its place from others for as long as is said", async () => {
  const turns = new FairTurns({ concurrency: 1, waitingOfSource: 5, sources: 2, rests: 20, placeRestsMs: 200 });
  const work = () => new Promise<number>((resolve) => setTimeout(() => resolve(performance.now()), 50));
  const first = turns.run("a", work);
  const [second, others] = [turns.run("a", work), turns.run("b", work)];
  const [end, othersEnd] = [await first, await others];
  expect(othersEnd - end).toBeGreaterThan(200);
  expect(othersEnd - end).toBeLessThan(800);
  expect((await second) - end).toBeGreaterThan(1_000);
});
