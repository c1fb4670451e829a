import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { advanceRollups } from "../core/aging/advance-rollups.ts";
import { ERP_CONNECTED } from "../core/erp-connections/operations/connect-erp.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { LINKS_WITHDRAWN } from "../core/payment-links/withdrawing/review-active-links.ts";
import { requestEventReading } from "../core/payments/events/read-events.ts";
import { RECEIPTS_QUEUED } from "../core/payments/receipts/claimed-push.ts";
import { interruptLostRuns } from "../core/sync-runs/interrupt-runs.ts";
import { RUNS_RESERVED } from "../core/sync-runs/operations/start-erp-sync.ts";
import { reserveDueRuns } from "../core/sync-runs/reserve-due-runs.ts";
import { erpGateway } from "../gateways/erp/index.ts";
import { KEEP_DAYS, type KeepDays } from "../settings.ts";
import { jobs } from "../signals.ts";
import { errands } from "./errands.ts";
import { endLeftovers, housekeep } from "./housekeeping.ts";
import { prune } from "./prune.ts";
import type { ConnectGateway } from "./pull-invoices.ts";
import { Pulls } from "./pulls.ts";
import { pushReceipts } from "./push-receipts.ts";
import { Looks, type Rounds, rounds } from "./rounds.ts";
import type { PostOffice } from "./send-mails.ts";
import { type SharedWork, shareRound } from "./shared-rounds.ts";

/** How often is looked, and how much is done at once; the defaults suit a service. Milliseconds. */
export interface JobOptions {
  readonly connect?: ConnectGateway;
  /** Between two looks for connections that are due (service.md §2.2: typically within a minute), and for new days. */
  readonly scheduleEveryMs?: number;
  /** Between two looks for runs that nobody leads, or whose worker is gone, and for anything else that is due. */
  readonly lookEveryMs?: number;
  readonly housekeepEveryMs?: number;
  /** How long a worker that says nothing is believed alive. */
  readonly leaseMs?: number;
  /** Half of it is the most that one ERP host, one workspace, or ERPs that do not answer get. */
  readonly pullsAtOnce?: number;
  /** An ERP that says nothing for this long does not answer: others are pulled beside it. */
  readonly silentAfterMs?: number;
  /** Receipts pushed at once, each to another ERP. */
  readonly pushesAtOnce?: number;
  /** How mail goes out; null sends none. */
  readonly office?: PostOffice | null;
  /** How long mails, executions and audit entries are kept. */
  readonly keepDays?: KeepDays;
}

/** What runs without a caller. */
export interface Jobs {
  /** Begins; on the embedded store every run left running belongs to a process that is gone, and is ended first. */
  start(): Promise<void>;
  /** Looks for reserved runs now. */
  wake(): void;
  /** Claims nothing more, lets pulls under way finish for `graceMs`, then gives them up as `interrupted`. */
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
  keepDays: KEEP_DAYS,
} as const satisfies Required<JobOptions>;

const LAST_WAIT_MS = 1_000;
const DAY_MS = 24 * 60 * 60_000;

/** The jobs of one process. Rows and their states are the queue, so that any number of processes share the work. */
export function createJobs(core: Core, given: JobOptions = {}): Jobs {
  return new ProcessJobs(core, { ...DEFAULTS, ...given });
}

class ProcessJobs implements Jobs {
  readonly #core: Core;
  readonly #options: Required<JobOptions>;
  readonly #workerId = randomUUID();
  readonly #stop = new AbortController();
  readonly #giveUp = new AbortController();
  readonly #looks: Looks;
  readonly #pulls: Pulls;
  readonly #pushes: Rounds;
  readonly #errands: Rounds;

  constructor(core: Core, options: Required<JobOptions>) {
    this.#core = core;
    this.#options = options;
    const { connect, leaseMs, pushesAtOnce, office } = options;
    const signals = { stop: this.#stop.signal, giveUp: this.#giveUp.signal };
    this.#looks = new Looks(core);
    this.#pulls = new Pulls(core, { ...options, ...signals, onEnd: (left) => this.#afterPull(left) });
    this.#pushes = rounds(
      () => pushReceipts(core, connect, { leaseMs, atOnce: 1, ...signals }),
      (error) => core.log.error({ err: error }, "receipts.push.failed"),
      pushesAtOnce,
    );
    this.#errands = errands(core, { office, ...signals });
  }

  async start(): Promise<void> {
    const { store } = this.#core;
    const { lookEveryMs } = this.#options;
    const isAlone = store.kind === "embedded";
    if (isAlone) await endLeftovers(this.#core);
    await requestEventReading(this.#core, { unlease: isAlone });
    const unsubscribe = store.subscribe(({ topic }) => {
      if (topic === RUNS_RESERVED) this.wake();
      if (topic === ERP_CONNECTED) this.#looks.begin("reserving first runs", () => this.#reserveDue(this.#stop.signal));
      if (topic === RECEIPTS_QUEUED) this.#pushes.wake();
      if (topic === LINKS_WITHDRAWN) this.#errands.wake();
    });
    this.#stop.signal.addEventListener("abort", unsubscribe);
    this.#shareRounds();
    this.#looks.every(lookEveryMs, "looking after runs", async () => {
      await interruptLostRuns(this.#core);
      await this.#pulls.claim();
    });
    this.#looks.every(lookEveryMs, "looking for what is due", async () => this.#wakeOthers());
    this.wake();
    this.#wakeOthers();
  }

  wake(): void {
    if (!this.#stop.signal.aborted) this.#looks.begin("taking up runs", () => this.#pulls.claim());
  }

  async drain(graceMs = 2_000): Promise<void> {
    this.#stop.abort();
    await this.#looks.end();
    const ended = () => Promise.all([this.#pulls.idle(), this.#pushes.idle()]);
    await Promise.race([Promise.all([ended(), this.#errands.idle()]), sleep(graceMs, undefined, { ref: false })]);
    this.#giveUp.abort();
    await ended();
    // A payment provider that does not answer is not waited for: the next worker finishes its links.
    await Promise.race([this.#errands.idle(), sleep(LAST_WAIT_MS, undefined, { ref: false })]);
  }

  async #reserveDue(signal: AbortSignal): Promise<void> {
    if ((await reserveDueRuns(this.#core, signal)) > 0) await this.#pulls.claim();
  }

  #wakeOthers(): void {
    this.#pushes.wake();
    this.#errands.wake();
  }

  #afterPull(left: number): void {
    this.wake();
    this.#errands.wake();
    if (left === 0) this.#looks.begin("housekeeping", () => this.#core.store.maintain());
  }

  /** What one process does for all of them. */
  #shareRounds(): void {
    const core = this.#core;
    const { scheduleEveryMs, housekeepEveryMs, leaseMs } = this.#options;
    const sharing = { workerId: this.#workerId, leaseMs, stop: this.#stop.signal };
    const share = (job: string, everyMs: number, work: SharedWork["work"]) => () =>
      shareRound(core, { job, everyMs, work }, sharing);
    // Another process's round is looked at more often than it is due, so that nobody waits long for one that is gone.
    const lookEveryMs = Math.min(scheduleEveryMs, leaseMs);
    const schedule = share("reserve_due_runs", scheduleEveryMs, (signal) => this.#reserveDue(signal));
    const aging = share("advance_rollups", scheduleEveryMs, (signal) => advanceRollups(core, signal));
    const housekeeping = share("housekeeping", housekeepEveryMs, () =>
      jobs.during({ job: "housekeeping", kind: "look", outcome: "ok" }, () => housekeep(core)),
    );
    const pruning = share("prune", DAY_MS, (signal) => prune(core, signal, this.#options));
    this.#looks.every(lookEveryMs, "the schedule", schedule);
    this.#looks.every(lookEveryMs, "advancing aging", aging);
    this.#looks.every(housekeepEveryMs, "housekeeping", housekeeping);
    this.#looks.every(housekeepEveryMs, "deleting what is old", pruning);
    this.#looks.begin("the schedule", schedule);
    this.#looks.begin("advancing aging", aging);
  }
}
