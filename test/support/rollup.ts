import { expect } from "vitest";
import { type Core, nowOf } from "../../src/core/gate/dependencies.ts";
import { advanceAging } from "../../src/store/aging/rollup.ts";
import { verifyAging } from "../../src/store/aging/verify.ts";

/** Fails when somebody wrote what aging reads and did not say so; the first time it only has the roll-up built. */
export async function expectExactRollup(core: Core, tenantId: string): Promise<void> {
  const found = await core.store.read(tenantId, (tx) => verifyAging(tx, tenantId));
  expect(found).toMatchObject({ differences: 0 });
  if (found.as_of === null)
    await core.store.write(tenantId, (tx) => advanceAging(tx, tenantId, nowOf(core).slice(0, 10)));
}
