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

/** Places for pieces under way, for each slot: most of them wait for their ERPs. */
export const PLACES_PER_SLOT = 4;

/**
 * How pieces share their places, {@link PLACES_PER_SLOT} for each of `slots`. The fewer are free the less each gets: one workspace,
 * one host and the ERPs that were away a quarter while all are free, one piece each when few are. Only those that were away and have
 * not answered yet count as such: one that is back does not wait for others. With no place free, a new piece takes that of the ERP
 * that has been silent longest, beyond `silentAfterMs`: {@link makePlace}.
 */
export function sharedPlaces(
  all: readonly Piece[],
  { slots, silentAfterMs }: { slots: number; silentAfterMs: number },
) {
  const pieces = all.filter(({ wait }) => !wait.isGivenUp());
  const left = PLACES_PER_SLOT * slots - pieces.length;
  const free = left > 0 || !pieces.some(({ wait }) => wait.silentMs() > silentAfterMs) ? Math.max(0, left) : 1;
  return {
    free,
    most: Math.ceil(free / PLACES_PER_SLOT),
    tenants: pieces.map(({ tenantId }) => tenantId),
    away: pieces.filter(({ wasAway, wait }) => wasAway && !wait.hasAnswered()).length,
  };
}

/** Once a piece has begun: where that was one too many, the ERP that has been silent longest gives up its place. */
export function makePlace(all: readonly Piece[], slots: number) {
  const waits = all.map(({ wait }) => wait).filter((wait) => !wait.isGivenUp());
  if (waits.length <= PLACES_PER_SLOT * slots) return;
  waits.reduce((longest, wait) => (wait.silentMs() > longest.silentMs() ? wait : longest)).giveUp();
}

/** How a pull or a push waits for its ERP. */
export function erpWait() {
  let asked = 0;
  /** When the ERP was asked or last answered; of the machine's own time, which nobody sets. */
  let since = performance.now();
  let wasAsked = false;
  let hasAnswered = false;
  const givenUp = new AbortController();
  return {
    /** Milliseconds for which it has been asked and has not answered. */
    silentMs: () => (asked > 0 ? performance.now() - since : 0),
    /** Ends it as an ERP that did not answer; of what was being written the outcome is unknown. */
    giveUp: () => givenUp.abort(new ErpError("erp_unreachable", { code: "no_answer" }, { outcomeUnknown: true })),
    isGivenUp: () => givenUp.signal.aborted,
    /** Stopped by that, too. */
    stoppable: <Options extends Stoppable>(options: Options): Options => ({
      ...options,
      signal: AbortSignal.any([options.signal, givenUp.signal]),
    }),
    hasAnswered: () => hasAnswered,
    /** Whether all that it was asked stayed without an answer. */
    isAway: () => wasAsked && !hasAnswered,
    async during<T>(asking: Promise<T>) {
      if (asked === 0) since = performance.now();
      asked += 1;
      wasAsked = true;
      try {
        const answer = await asking;
        hasAnswered = true;
        return answer;
      } catch (error) {
        if (error instanceof ErpError && MEANING_OF_CONTACT[error.kind].hasAnswered) hasAnswered = true;
        throw error;
      } finally {
        since = performance.now();
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
