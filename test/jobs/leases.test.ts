import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { systemClock } from "../../src/core/kernel/calendar.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { createJobs } from "../../src/jobs/schedule.ts";
import type { Store } from "../../src/store/store.ts";
import { insertLink, type Office, openOffice, partOf, withSandbox } from "../core/workflows/support.ts";
import { testCore } from "../support/core.ts";
import { keepingMails } from "../support/outbox.ts";
import { replacing } from "../support/reads.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

/** The shortest lease is 20 seconds. */
const WELL_WITHIN_A_LEASE_MS = 12_000;

/** A transaction that PostgreSQL ended to resolve a deadlock. */
class Deadlock extends Error {
  readonly code = "40P01";
}

/** A store whose writes fail, each as `fail` says by its number from 1 on; null lets it through. */
function failing(store: Store, fail: (write: number) => Error | null): Store {
  let writes = 0;
  return replacing(store, {
    write: async (tenantId, work) => {
      writes += 1;
      const error = fail(writes);
      return store.write(tenantId, async (tx) => {
        const done = await work(tx);
        // What it had written is undone, as after a deadlock.
        if (error !== null) throw error;
        return done;
      });
    },
  });
}

describe.each(A_STORE)("work whose attempt failed on $name", ({ open }) => {
  const opened = useStore(open);
  let core: Core;
  let office: Office;
  const { sent, mailer } = keepingMails();
  beforeAll(async () => {
    core = withSandbox(testCore(opened.store, systemClock));
  });
  beforeEach(async () => {
    sent.length = 0;
    office = await openOffice(core);
  });

  /** Runs the service's jobs on a store that fails so, until `done` holds, which is well before any lease ends. */
  async function runUntil(fail: (write: number) => Error | null, done: () => Promise<void>): Promise<void> {
    const mailing = { mailer, fromAddress: "a@b.test", publicOrigin: "https://b.test" };
    const jobs = createJobs({ ...core, store: failing(core.store, fail) }, { lookEveryMs: 50, office: mailing });
    onTestFinished(() => jobs.drain());
    await jobs.start();
    await vi.waitFor(done, { timeout: WELL_WITHIN_A_LEASE_MS, interval: 20 });
  }

  const invoice = async () => {
    const customer = await office.book.customer({ email: "pay@globex.example.test" });
    return office.book.invoice({ customer }, [{ due_date: "2026-01-01" }]);
  };
  const faults: [name: string, error: () => Error, fewest: number][] = [
    ["deadlocks", () => new Deadlock("deadlock detected"), 1],
    ["fails", () => new Error("nobody expected this"), 1],
    ["deadlocks as often as it is tried again at once", () => new Deadlock("deadlock detected"), 3],
  ];

  for (const [name, error, failures] of faults)
    for (const failsAt of [1, 2, 3])
      it(`is done within seconds where write ${failsAt} of a workflow ${name} [completions.7.lease-given-back]`, async () => {
        await invoice();
        await office.act(enableWorkflow, { type: "auto_generate" });
        await runUntil(
          (write) => (write >= failsAt && write < failsAt + failures ? error() : null),
          async () => {
            expect((await office.links()).map(({ state }) => state)).toEqual(["active"]);
          },
        );
      });

  it("opens the task of an arrangement within seconds [completions.7.lease-given-back]", async () => {
    await invoice();
    const { email: assignee } = office.assignee;
    await office.act(enableWorkflow, { type: "payment_arrangement", minimumAmount: "1", assignee });
    await runUntil(
      (write) => (write <= 4 ? new Deadlock("deadlock detected") : null),
      async () => {
        expect(await office.tasks()).toHaveLength(1);
        expect((await office.mails()).map(({ status }) => status)).toEqual(["sent"]);
      },
    );
  });

  it("mails a link once more under the same id, within seconds [completions.7.lease-given-back]", async () => {
    const ids = partOf(await invoice());
    const at = new Date(systemClock.now().getTime() - 1_000).toISOString();
    const email = { email_status: "scheduled", email_to: "pay@globex.example.test" } as const;
    await insertLink(core, office.tenantId, ids, { ...email, email_send_at: at, email_next_attempt_at: at });
    await runUntil(
      (write) => (write <= 1 ? new Error("nobody expected this") : null),
      async () => {
        expect((await office.links()).map((link) => link.email_status)).toEqual(["sent"]);
      },
    );
    await sleep(100);
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it("settles a link that nobody heard of again within seconds [completions.7.lease-given-back]", async () => {
    const ids = partOf(await invoice());
    const past = new Date(systemClock.now().getTime() - 1_000).toISOString();
    await insertLink(core, office.tenantId, ids, {
      state: "reserved",
      url: null,
      provider_link_id: null,
      next_attempt_at: past,
    });
    await runUntil(
      (write) => (write <= 1 ? new Error("nobody expected this") : null),
      async () => {
        expect((await office.links()).map(({ state }) => state)).toEqual(["active"]);
      },
    );
  });
});
