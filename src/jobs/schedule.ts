import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { stampRenamedMembers } from "../core/accounts/stamp-renamed.ts";
import { tellNews } from "../core/accounts/tell-news.ts";
import { advanceRollups } from "../core/aging/advance-rollups.ts";
import { ERP_CONNECTED } from "../core/erp-connections/operations/connect-erp.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { LINKS_WITHDRAWN } from "../core/payment-links/withdrawing/review-active-links.ts";
import { requestEventReading } from "../core/payments/events/read-events.ts";
import { RECEIPTS_QUEUED } from "../core/payments/receipts/claimed-push.ts";
import { interruptLostRuns } from "../core/sync-runs/finish-run.ts";
import { RUNS_RESERVED } from "../core/sync-runs/operations/start-erp-sync.ts";
import { reserveDueRuns } from "../core/sync-runs/reserve-due-runs.ts";
import { erpGateway } from "../gateways/erp/index.ts";
import { KEEP_DAYS, type KeepDays } from "../settings.ts";
import { jobs } from "../signals.ts";
import { PLACES_PER_SLOT } from "./erp-wait.ts";
import { endLeftovers, housekeep, prune } from "./housekeeping.ts";
import type { ConnectGateway } from "./pull-invoices.ts";
import { pullsOf } from "./pulls.ts";
import { pushesOf } from "./push-receipts.ts";
import { looksOf, type Rounds, rounds } from "./rounds.ts";
import { type PostOffice, sendLinkEmails, sendMails } from "./send-mails.ts";
import { type SharedWork, shareRound } from "./shared-rounds.ts";
import { finishLinks, readProviderEvents, runWorkflows } from "./work-off.ts";

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
  /** Pulls that take in what they read at once; four times as many are under way. */
  readonly pullsAtOnce?: number;
  /** An ERP that says nothing for this long gives up its place to another, of pulls and of receipts, where none is free. */
  readonly silentAfterMs?: number;
  /** Four times as many receipts are pushed at once, each to another ERP. */
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
  silentAfterMs: 15_000,
  pushesAtOnce: 4,
  office: null,
  keepDays: KEEP_DAYS,
} as const satisfies Required<JobOptions>;

/** Rounds beside those with a place: one that may take the place of an ERP that is silent. */
const TAKING_A_PLACE = 1;
const LAST_WAIT_MS = 1_000;
const DAY_MS = 24 * 60 * 60_000;

/** The jobs of one process. Rows and their states are the queue, so that any number of processes share the work. */
export function createJobs(core: Core, given: JobOptions = {}): Jobs {
  const options = { ...DEFAULTS, ...given };
  const { connect, lookEveryMs, leaseMs, pushesAtOnce, silentAfterMs } = options;
  const [stopping, givingUp] = [new AbortController(), new AbortController()];
  const signals = { stop: stopping.signal, giveUp: givingUp.signal };
  const looks = looksOf(core);
  const errands = errandsOf(core, { ...options, ...signals });
  const pushes = rounds(
    pushesOf(core, connect, { leaseMs, silentAfterMs, atOnce: pushesAtOnce, ...signals }),
    (error) => core.log.error({ err: error }, "receipts.push.failed"),
    PLACES_PER_SLOT * pushesAtOnce + TAKING_A_PLACE,
  );
  const wakeOthers = () => wakeAll([pushes, ...errands]);
  const wake = () => {
    if (!stopping.signal.aborted) looks.begin("taking up runs", pulls.claim);
  };
  const pulls = pullsOf(core, {
    ...options,
    ...signals,
    onEnd(left) {
      wake();
      wakeAll(errands);
      if (left === 0) looks.begin("housekeeping", () => core.store.maintain());
    },
  });
  const reserveDue = async (signal: AbortSignal) => (await reserveDueRuns(core, signal)) > 0 && pulls.claim();
  return {
    async start() {
      const isAlone = core.store.kind === "embedded";
      if (isAlone) await endLeftovers(core);
      await requestEventReading(core, { unlease: isAlone });
      const unsubscribe = core.store.subscribe(({ topic }) => {
        if (topic === RUNS_RESERVED) wake();
        if (topic === ERP_CONNECTED) looks.begin("reserving first runs", () => reserveDue(stopping.signal));
        if (topic === RECEIPTS_QUEUED) pushes.wake();
        if (topic === LINKS_WITHDRAWN) wakeAll(errands);
      });
      stopping.signal.addEventListener("abort", unsubscribe);
      shareRounds(core, looks, { ...options, stop: stopping.signal, reserveDue });
      looks.every(lookEveryMs, "looking after runs", () => interruptLostRuns(core).then(pulls.claim));
      looks.every(lookEveryMs, "looking for what is due", () => {
        wakeOthers();
        return stampRenamedMembers(core);
      });
      wake();
      wakeOthers();
    },
    wake,
    async drain(graceMs = 2_000) {
      stopping.abort();
      await looks.end();
      const ended = () => Promise.all([pulls.idle(), pushes.idle()]);
      await within(graceMs, Promise.all([ended(), idle(errands)]));
      givingUp.abort();
      await ended();
      // A payment provider that does not answer is not waited for: the next worker finishes its links.
      await within(LAST_WAIT_MS, idle(errands));
    },
  };
}

const wakeAll = (those: readonly Rounds[]) => {
  for (const one of those) one.wake();
};

const idle = (those: readonly Rounds[]): Promise<unknown> => Promise.all(those.map((one) => one.idle()));

const within = (milliseconds: number, work: Promise<unknown>) =>
  Promise.race([work, sleep(milliseconds, undefined, { ref: false })]);

type Signals = Record<"stop" | "giveUp", AbortSignal>;

/** What follows from the state of the book and is looked for every few seconds: links, workflows and mail. */
function errandsOf(core: Core, { office, ...signals }: Signals & Pick<Required<JobOptions>, "office">): Rounds[] {
  const { stop } = signals;
  const errand = (what: string, job: string, work: () => Promise<unknown>) =>
    rounds(
      () => jobs.during({ job, kind: "look", outcome: "ok" }, work),
      (error) => core.log.error({ err: error }, `${what} failed`),
    );
  const all = [
    errand("settling payment links", "settle_links", () => finishLinks(core, stop)),
    errand("reading provider events", "read_provider_events", () => readProviderEvents(core, { signal: stop })),
    errand("running workflows", "run_workflows", () => runWorkflows(core, stop)),
  ];
  if (office === null) return all;
  return [
    ...all,
    errand("mailing members", "send_mails", () => sendMails(core, office, signals)),
    errand("mailing payment links", "send_link_emails", () => sendLinkEmails(core, office, signals)),
  ];
}

type Shared = Required<JobOptions> & { stop: AbortSignal; reserveDue: SharedWork["work"] };

/** What one process does for all of them. */
function shareRounds(core: Core, looks: ReturnType<typeof looksOf>, { stop, reserveDue, ...options }: Shared) {
  const { scheduleEveryMs, housekeepEveryMs, leaseMs } = options;
  const sharing = { workerId: randomUUID(), leaseMs, stop };
  const share = (job: string, everyMs: number, work: SharedWork["work"]) => () =>
    shareRound(core, { job, everyMs, work }, sharing);
  // Another process's round is looked at more often than it is due, so that nobody waits long for one that is gone.
  const lookEveryMs = Math.min(scheduleEveryMs, leaseMs);
  const schedule = share("reserve_due_runs", scheduleEveryMs, reserveDue);
  const aging = share("advance_rollups", scheduleEveryMs, (signal) => advanceRollups(core, signal));
  const housekeeping = share("housekeeping", housekeepEveryMs, () =>
    jobs.during({ job: "housekeeping", kind: "look", outcome: "ok" }, () => housekeep(core)),
  );
  const pruning = share("prune", DAY_MS, (signal) => prune(core, signal, options));
  if (options.office)
    looks.every(
      lookEveryMs,
      "telling members news",
      share("tell_news", scheduleEveryMs, (stop) => tellNews(core, stop)),
    );
  looks.every(lookEveryMs, "the schedule", schedule);
  looks.every(lookEveryMs, "advancing aging", aging);
  looks.every(housekeepEveryMs, "housekeeping", housekeeping);
  looks.every(housekeepEveryMs, "deleting what is old", pruning);
  looks.begin("the schedule", schedule);
  looks.begin("advancing aging", aging);
}
