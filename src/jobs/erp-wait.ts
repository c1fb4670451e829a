import { MEANING_OF_CONTACT } from "../core/erp-access/connection-status.ts";
import { ErpError, type ErpGateway } from "../gateways/erp/gateway.ts";
import type { Stoppable } from "../gateways/erp/receipts.ts";
import type { ConnectGateway } from "./pull-invoices.ts";

/** A pull or a push under way. */
interface Piece {
  readonly tenantId: string;
  /** Whether its ERP did not answer the last one. */
  readonly wasAway: boolean;
  readonly wait: ErpWait;
}

/** The most pieces for each slot, waiting ones too. */
export const PER_SLOT = 4;

/**
 * How pieces of work share slots. Those that wait for their ERP hold half of them at most: what is beyond costs nothing but a
 * connection, and others begin beside it. A workspace gets half, and half as many that wait beside them, so that two cannot use up
 * all connections. Answers how many more may begin, the tenant of each piece that counts against its workspace's half, and how many
 * count against the half of ERPs that were away: only those that were, or one that was and is back would wait for others.
 */
export function sharedSlots(pieces: readonly Piece[], slots: number) {
  const half = Math.ceil(slots / 2);
  const working = pieces.filter(({ wait }) => !wait.isLong());
  const waiting = pieces.filter(({ wait }) => wait.isLong());
  const free = slots - working.length - Math.min(waiting.length, half);
  const byTenant = Map.groupBy(waiting, ({ tenantId }) => tenantId);
  const beyond = [...byTenant.values()].flatMap((own) => own.slice(half));
  return {
    half,
    free: Math.min(free, PER_SLOT * slots - pieces.length),
    tenants: [...working, ...beyond].map(({ tenantId }) => tenantId),
    away: pieces.filter(({ wasAway, wait }) => wasAway && !wait.hasAnswered()).length,
  };
}

/** Once a piece has begun: the last place is for one that does not wait, so that which has waited longest gives up its own. */
export function leaveOneFree(pieces: readonly Piece[], slots: number) {
  if (pieces.length < PER_SLOT * slots) return;
  const [longest] = pieces.map(({ wait }) => wait).sort((one, other) => other.waitedMs() - one.waitedMs());
  if (longest?.isLong()) longest.giveUp();
}

/** Each moment of work makes up for this many of waiting: what takes a third of its time for work does not wait. */
const WAITS_PER_WORK = 2;

/** How long a pull or a push has been waiting for its ERP, which does not answer once that is longer than `silentAfterMs`. */
export function erpWait(silentAfterMs: number) {
  let asked = 0;
  /** When the ERP was asked or last answered; of the machine's own time, which nobody sets. */
  let since = performance.now();
  /** Waiting of before that, less the work beside it. */
  let before = 0;
  let hasAnswered = false;
  const givenUp = new AbortController();
  /** Milliseconds that it waited beyond what goes with its work: an ERP that sends a little at a time adds them up. */
  const waitedMs = () => {
    const passed = performance.now() - since;
    return Math.max(0, before + (asked > 0 ? passed : -WAITS_PER_WORK * passed));
  };
  const note = () => {
    before = waitedMs();
    since = performance.now();
  };
  return {
    waitedMs,
    isLong: () => waitedMs() > silentAfterMs,
    /** Ends it as an ERP that did not answer; of what was being written the outcome is unknown. */
    giveUp: () => givenUp.abort(new ErpError("erp_unreachable", { code: "no_answer" }, { outcomeUnknown: true })),
    /** Stopped by that, too. */
    stoppable: <Options extends Stoppable>(options: Options): Options => ({
      ...options,
      signal: AbortSignal.any([options.signal, givenUp.signal]),
    }),
    hasAnswered: () => hasAnswered,
    async during<T>(asking: Promise<T>) {
      if (asked === 0) note();
      asked += 1;
      try {
        const answer = await asking;
        hasAnswered = true;
        return answer;
      } catch (error) {
        if (error instanceof ErpError && MEANING_OF_CONTACT[error.kind].hasAnswered) hasAnswered = true;
        throw error;
      } finally {
        note();
        asked -= 1;
      }
    },
  };
}

export type ErpWait = ReturnType<typeof erpWait>;

/** The same connector, whose every answer is waited for under `wait`. */
export function waitingUnder(wait: ErpWait, connect: ConnectGateway): ConnectGateway {
  const waited =
    <Asked, Answer>(ask: (asked: Asked, options: Stoppable) => Promise<Answer>) =>
    (asked: Asked, options: Stoppable) =>
      wait.during(ask(asked, wait.stoppable(options)));
  return (provider, settings) => {
    const gateway = connect(provider, settings);
    return {
      readInvoicePages: (options) => pages(gateway.readInvoicePages(wait.stoppable(options)), wait),
      findInvoices: (ids, options) => pages(gateway.findInvoices(ids, wait.stoppable(options)), wait),
      readBillingContacts: waited(gateway.readBillingContacts),
      findReceipt: waited(gateway.findReceipt),
      createReceipt: waited(gateway.createReceipt),
      applyReceipt: waited(gateway.applyReceipt),
      readReceipt: waited(gateway.readReceipt),
      readReceipts: waited(gateway.readReceipts),
    };
  };
}

function pages(source: ReturnType<ErpGateway["readInvoicePages"]>, wait: ErpWait): typeof source {
  return {
    [Symbol.asyncIterator]() {
      const iterator = source[Symbol.asyncIterator]();
      return {
        next: () => wait.during(iterator.next()),
        return: async (value) => (await iterator.return?.(value)) ?? { done: true, value },
      };
    },
  };
}
