import { describe, expect, it } from "vitest";
import { workOff } from "../../src/jobs/work-off.ts";

interface Piece {
  readonly tenant_id: string;
  readonly name: string;
}

describe("work that is done several pieces at once", () => {
  const silent = (): void => undefined;
  const core = { log: { info: silent, warn: silent, error: silent } };

  /** Does what is due by turns of workspaces; pieces of `slow` ones go on until `release` is called. */
  function working(due: readonly Piece[], { atOnce, slow }: { atOnce: number; slow: readonly string[] }) {
    const left = [...due];
    const [begun, ended]: [string[], string[]] = [[], []];
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const done = workOff<Piece>(core, {
      event: "piece",
      atOnce,
      async claim({ limit, except }) {
        const [first] = left.filter(({ tenant_id }) => !except.includes(tenant_id));
        const claimed = left.filter(({ tenant_id }) => tenant_id === first?.tenant_id).slice(0, limit);
        for (const piece of claimed) left.splice(left.indexOf(piece), 1);
        return claimed;
      },
      async work({ tenant_id, name }) {
        begun.push(name);
        if (slow.includes(tenant_id)) await released;
        ended.push(name);
      },
      retry: () => Promise.resolve(),
      fieldsOf: (piece) => piece,
    });
    return { begun, ended, release, done };
  }

  const pieces = (tenant_id: string, count: number): Piece[] =>
    Array.from({ length: count }, (_, n) => ({ tenant_id, name: `${tenant_id}${n}` }));

  it.each([{ slow: ["a"] }, { slow: ["a", "b"] }])(
    "goes on for others while all of $slow takes long [facts.scale.turns]",
    async ({ slow }) => {
      const due = [...slow.flatMap((tenant) => pieces(tenant, 20)), ...pieces("other", 30)];
      const { begun, ended, release, done } = working(due, { atOnce: 8, slow });
      await expect.poll(() => ended).toHaveLength(30);
      expect(begun.length).toBeLessThan(30 + 8);
      release();
      expect(await done).toBe(due.length);
      expect(ended).toHaveLength(due.length);
    },
  );

  it("finds what comes due while a piece takes long [facts.scale.turns]", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const due = [pieces("slow", 1), [], pieces("later", 1)];
    const ended: string[] = [];
    const done = workOff<Piece>(core, {
      event: "piece",
      atOnce: 4,
      claim: async () => due.shift() ?? [],
      work: async ({ name, tenant_id }) => {
        if (tenant_id === "slow") await released;
        ended.push(name);
      },
      retry: () => Promise.resolve(),
      fieldsOf: (piece) => piece,
      lookAgainMs: 10,
    });
    await expect.poll(() => ended).toEqual(["later0"]);
    release();
    expect(await done).toBe(2);
  });

  it("ends what is under way before it rejects [facts.scale.turns]", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let claims = 0;
    let ended = 0;
    const done = workOff<Piece>(core, {
      event: "piece",
      atOnce: 4,
      claim: () => (claims++ === 0 ? Promise.resolve(pieces("a", 2)) : Promise.reject(new Error("the store is away"))),
      work: () => released.then(() => (ended += 1)),
      retry: () => Promise.resolve(),
      fieldsOf: (piece) => piece,
    });
    const rejected = expect(done).rejects.toThrow("the store is away");
    release();
    await rejected;
    expect(ended).toBe(2);
  });
});
