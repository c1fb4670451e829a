import { MEANING_OF_CONTACT } from "../core/erp-access/connection-status.ts";
import { ErpError, type ErpGateway } from "../gateways/erp/gateway.ts";
import type { Stoppable } from "../gateways/erp/receipts.ts";
import type { ConnectGateway } from "./pull-invoices.ts";

/** A pull or a push under way. */
interface Piece {
  readonly tenantId: string;
  readonly wait: ErpWait;
}

/** Places for pieces under way, for each slot: most of them wait for their ERPs. */
export const PLACES_PER_SLOT = 4;

/** Of how many slots there are places, and how long an ERP says nothing until another piece may take its place. */
interface Places {
  readonly slots: number;
  readonly silentAfterMs: number;
}

/**
 * How pieces share their places, {@link PLACES_PER_SLOT} for each slot: the fewer are free the less each workspace and host gets, a
 * quarter while all are free, one piece when few are. With no place free, a new piece takes that of an ERP that is silent.
 */
export function sharedPlaces(all: readonly Piece[], places: Places) {
  const pieces = all.filter(({ wait }) => !wait.isGivenUp());
  const left = Math.max(0, PLACES_PER_SLOT * places.slots - pieces.length);
  const free = left === 0 && mostSilent(pieces, places) !== undefined ? 1 : left;
  return { free, most: Math.ceil(free / PLACES_PER_SLOT), tenants: pieces.map(({ tenantId }) => tenantId) };
}

/** Once a piece has begun: where that was one too many, an ERP that is silent gives up its place. */
export function makePlace(all: readonly Piece[], places: Places) {
  const pieces = all.filter(({ wait }) => !wait.isGivenUp());
  if (pieces.length > PLACES_PER_SLOT * places.slots) mostSilent(pieces, places)?.wait.giveUp();
}

/** The piece whose ERP has been silent longest, and for long; one that has not answered at all before any that has. */
function mostSilent(pieces: readonly Piece[], { silentAfterMs }: Places) {
  return pieces
    .filter(({ wait }) => wait.silentMs() > silentAfterMs)
    .sort(
      ({ wait: one }, { wait: other }) =>
        Number(one.hasAnswered()) - Number(other.hasAnswered()) || other.silentMs() - one.silentMs(),
    )[0];
}

/** How a pull or a push waits for its ERP. */
export function erpWait() {
  let asked = 0;
  /** When the ERP was asked or last answered; of the machine's own time, which nobody sets. */
  let since = performance.now();
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
    async during<T>(asking: Promise<T>) {
      if (asked === 0) since = performance.now();
      asked += 1;
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
