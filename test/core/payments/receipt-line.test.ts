import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { usePushWorld } from "../../support/pushes.ts";
import { STORES } from "../../support/stores.ts";

describe.each(STORES)("a receipt, on $name", ({ open }) => {
  const world = usePushWorld(open);

  it("is in the line of its ERP, with no help of triggers, which no worker has [scale.no-triggers]", async () => {
    const { core, pull, pay, push, payment, invoice } = world();
    await pull();
    const triggers = async (act: "disable" | "enable"): Promise<void> =>
      core.store.asOwner(async (tx) => {
        await sql.raw(`alter table payments ${act} trigger user`).execute(tx);
      });
    const isOnWorkers = core.store.isDistributed;
    if (!isOnWorkers) await triggers("disable");
    const id = await pay("one", "1").finally(() => (isOnWorkers ? undefined : triggers("enable")));
    expect((await payment(id)).connection_id).toBe((await invoice("one")).connection_id);
    expect(await push()).toBe(1);
  });
});
