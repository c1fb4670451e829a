import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { advanceRollups } from "../core/aging/advance-rollups.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { LINKS_WITHDRAWN } from "../core/payment-links/withdrawing/withdraw-beyond-debt.ts";
import { requestEventReading } from "../core/payments/events/read-events.ts";
import { abandonEveryPush, RECEIPTS_QUEUED } from "../core/payments/receipts/push-receipt.ts";
import { interruptEveryRun, interruptLostRuns } from "../core/sync-runs/interrupt-runs.ts";
import { claimRuns } from "../core/sync-runs/lead-run.ts";
import { pruneRuns } from "../core/sync-runs/prune-runs.ts";
import { RUNS_RESERVED, reserveDueRuns } from "../core/sync-runs/reserve-run.ts";
import { erpGateway } from "../gateways/erp/index.ts";
import { jobs } from "../signals.ts";
import { waitingUnder } from "./erp-wait.ts";
import { errands } from "./errands.ts";
import { housekeep } from "./housekeeping.ts";
import type { PostOffice } from "./mail-attempt.ts";
import { type ConnectGateway, pullInvoices } from "./pull-invoices.ts";
import { PullSlots } from "./pull-slots.ts";
import { pushReceipts } from "./push-receipts.ts";
import { rounds } from "./rounds.ts";
import { type SharedWork, shareRound } from "./shared-rounds.ts";

/** How often is looked, and how much is done at once; the defaults suit a service. Milliseconds. */
export interface JobOptions {
  readonly connect?: ConnectGateway;
  /** Between two looks for connections that are due (service.md §2.2: typically within a minute), and for new days. */
  readonly scheduleEveryMs?: number;
  /** Between two looks for runs that nobody leads, or whose worker is gone, and for whatever else is due. */
  readonly lookEveryMs?: number;
  readonly housekeepEveryMs?: number;
  /** How long a worker that says nothing is believed alive. */
  readonly leaseMs?: number;
  /** Half of it is the most that one ERP host, one workspace, or ERPs that do not answer get. */
  readonly pullsAtOnce?: number;
  /** An ERP that says nothing for so long does not answer: others are pulled beside it. */
  readonly silentAfterMs?: number;
  /** Receipts pushed at once, each to another ERP. */
  readonly pushesAtOnce?: number;
  /** How mail goes out; null sends none. */
  readonly office?: PostOffice | null;
}

/** What runs without a caller. */
export interface Jobs {
  /** Begins; on the embedded store every run left running belongs to a process that is gone, and is ended first. */
  start(): Promise<void>;
  /** Looks for reserved runs now. */
  wake(): void;
  /** Takes up nothing more, lets pulls under way finish for `graceMs`, then gives them up as `interrupted`. */
  drain(graceMs?: number): Promise<void>;
}

const DEFAULTS = {
  connect: erpGateway,
  scheduleEveryMs: 60_000,
  lookEveryMs: 5_000,
  housekeepEveryMs: 10 * 60_000,
  leaseMs: 20_000,
  pullsAtOnce: 4,
  silentAfterMs: 5_000,
  pushesAtOnce: 4,
  office: null,
} as const satisfies Required<JobOptions>;

const LAST_WAIT_MS = 1_000;
const DAY_MS = 24 * 60 * 60_000;

/** The jobs of one process. Rows and their states are the queue, so that any number of processes share the work. */
export function createJobs(core: Core, given: JobOptions = {}): Jobs {
  const options = { ...DEFAULTS, ...given };
  const workerId = randomUUID();
  const stop = new AbortController();
  const giveUp = new AbortController();
  const pulls = new Set<Promise<void>>();
  const looks = new Set<Promise<void>>();
  const stops: (() => void)[] = [];
  let stopped = false;

  const slots = new PullSlots({ slots: options.pullsAtOnce, silentAfterMs: options.silentAfterMs });

  function lead(led: Awaited<ReturnType<typeof claimRuns>>[number]): void {
    const work = slots.during(led.run, (wait) =>
      pullInvoices(core, waitingUnder(wait, options.connect), led, giveUp.signal),
    );
    const pull = work.finally(() => {
      pulls.delete(pull);
      if (stopped) return;
      wake();
      rest.wake();
      if (pulls.size === 0) watched("housekeeping", () => core.store.maintain());
    });
    pulls.add(pull);
  }

  /** One claim at a time, so that no more runs are taken up than there is room for. */
  let claiming: Promise<void> = Promise.resolve();
  function takeUpRuns(): Promise<void> {
    claiming = claiming
      .then(async () => {
        const { free: limit, shares } = slots;
        if (stopped || limit <= 0) return;
        for (const led of await claimRuns(core, { leaseMs: options.leaseMs, limit, shares })) lead(led);
      })
      .catch((error: unknown) => core.log.error({ err: error }, "runs could not be taken up"));
    return claiming;
  }

  function watched(what: string, work: () => Promise<unknown>): void {
    const look = work()
      .catch((error: unknown) => core.log.error({ err: error }, `${what} failed`))
      .then(() => void looks.delete(look));
    looks.add(look);
  }

  function wake(): void {
    if (!stopped) watched("taking up runs", takeUpRuns);
  }

  const { connect, leaseMs, pushesAtOnce } = options;
  const pushes = rounds(
    () => pushReceipts(core, connect, { leaseMs, atOnce: 1, stop: stop.signal, giveUp: giveUp.signal }),
    (error) => core.log.error({ err: error }, "pushing receipts failed"),
    pushesAtOnce,
  );

  const rest = errands(core, { office: options.office, stop: stop.signal, giveUp: giveUp.signal });

  /** Runs `work` every so often; a round that is still at it is not joined by another. */
  function every(milliseconds: number, what: string, work: () => Promise<unknown>): void {
    let busy = false;
    const timer = setInterval(() => {
      // While the store is away there is nothing to be found.
      if (busy || core.store.isDeaf) return;
      busy = true;
      watched(what, () =>
        work().finally(() => {
          busy = false;
        }),
      );
    }, milliseconds);
    stops.push(() => clearInterval(timer));
  }

  /** What one process does for all of them. */
  const shared = {
    schedule: {
      job: "reserve_due_runs",
      everyMs: options.scheduleEveryMs,
      work: async (signal) => {
        if ((await reserveDueRuns(core, signal)) > 0) await takeUpRuns();
      },
    },
    aging: {
      job: "advance_rollups",
      everyMs: options.scheduleEveryMs,
      work: (signal) => advanceRollups(core, signal),
    },
    housekeeping: {
      job: "housekeeping",
      everyMs: options.housekeepEveryMs,
      work: () => jobs.during({ job: "housekeeping", kind: "look", outcome: "ok" }, () => housekeep(core)),
    },
    pruning: { job: "prune_runs", everyMs: DAY_MS, work: (signal) => pruneRuns(core, signal) },
  } satisfies Record<string, SharedWork>;

  const share = (work: SharedWork) => () => shareRound(core, work, { workerId, leaseMs, stop: stop.signal });

  /** Another process's round is looked after more often than it is due, so that nobody waits long for one that is gone. */
  const lookAfterMs = Math.min(options.scheduleEveryMs, leaseMs);

  return {
    async start() {
      if (core.store.kind === "embedded") {
        await interruptEveryRun(core);
        await abandonEveryPush(core);
      }
      await requestEventReading(core, { unlease: core.store.kind === "embedded" });
      stops.push(
        core.store.subscribe(({ topic }) => {
          if (topic === RUNS_RESERVED) wake();
          if (topic === RECEIPTS_QUEUED) pushes.wake();
          if (topic === LINKS_WITHDRAWN) rest.wake();
        }),
      );
      every(lookAfterMs, "the schedule", share(shared.schedule));
      every(lookAfterMs, "advancing aging", share(shared.aging));
      every(options.lookEveryMs, "looking after runs", async () => {
        await interruptLostRuns(core);
        await takeUpRuns();
      });
      every(options.lookEveryMs, "looking for what is due", async () => {
        pushes.wake();
        rest.wake();
      });
      every(options.housekeepEveryMs, "housekeeping", share(shared.housekeeping));
      every(options.housekeepEveryMs, "deleting old sync runs", share(shared.pruning));
      watched("the schedule", share(shared.schedule));
      watched("advancing aging", share(shared.aging));
      wake();
      pushes.wake();
      rest.wake();
    },
    wake,
    async drain(graceMs = 2_000) {
      stopped = true;
      stop.abort();
      for (const end of stops) end();
      await Promise.all(looks);
      const finished = Promise.all([...pulls, pushes.idle(), rest.idle()]);
      await Promise.race([finished, sleep(graceMs, undefined, { ref: false })]);
      giveUp.abort();
      await Promise.all([...pulls, pushes.idle()]);
      // A payment provider that does not answer is not waited for: whoever comes next settles its links.
      await Promise.race([rest.idle(), sleep(LAST_WAIT_MS, undefined, { ref: false })]);
    },
  };
}
