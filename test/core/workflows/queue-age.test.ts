import { describe, expect, it } from "vitest";
import { WORKFLOW_WORK } from "../../../src/core/collection/to-examine-queries.ts";
import { claimWork } from "../../../src/core/gate/claims.ts";
import { enableWorkflow } from "../../../src/core/workflows/operations/enable-workflow.ts";
import { secondsWanted } from "../../support/backlog.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { storesOf } from "../../support/stores.ts";
import { useStore } from "../../support/use-store.ts";
import { openOffice } from "./support.ts";

const MINUTE = 60_000;

describe.each(storesOf(import.meta.url))("the queue of the workflows on $name", ({ open }) => {
  const { store } = useStore(open);

  it("is as old as its oldest invoice has waited [contract.operation.metrics]", async () => {
    const clock = new TestClock();
    const core = testCore(store, clock);
    const office = await openOffice(core);
    const waited = () => secondsWanted(core, office.tenantId, "workflows");
    const customer = await office.book.customer({ email: "pay@globex.example.test" });
    await office.book.invoice({ customer }, [{}]);
    const enable = () => office.act(enableWorkflow, { type: "auto_generate", daysBeforeDue: 365 });
    expect(await waited()).toBe(0);

    await enable();
    expect(await waited()).toBe(0);
    clock.advance(MINUTE);
    await enable();
    expect(await waited()).toBe(60);

    // Taken up, and lost: it is wanted since it was queued, or since something queued it again.
    expect(await claimWork(core, WORKFLOW_WORK, { leaseMs: 2 * MINUTE, limit: 1 })).toHaveLength(1);
    clock.advance(3 * MINUTE);
    expect(await waited()).toBe(240);
    await enable();
    expect(await waited()).toBe(0);
  });
});
