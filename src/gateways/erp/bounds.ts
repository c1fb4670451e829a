import { ErpError } from "./gateway.ts";

/**
 * How much an ERP can make the service read, and for how long (completions §7). What meets one of these ends as
 * {@link beyondBound} says; each holds for one answer, one look-up, one invoice or one run.
 */
export const ERP_BOUNDS = {
  /** Of one request, from sending it to the last byte of its answer. */
  secondsOfRequest: 30,
  /** After decompression. A page of 499 invoices holds some tens of thousands of values, six deep. */
  bytesOfAnswer: 16 * 1024 * 1024,
  valuesOfAnswer: 1_000_000,
  valuesOfItem: 100_000,
  /** Fusion never gives more than 500. */
  itemsOfAnswer: 1_000,
  depthOfAnswer: 32,
  /** Pages in a row that hold nothing new, as after many insertions; how many of those may be the same; and steps back. */
  pagesWithoutNews: 50,
  samePages: 5,
  stepsBack: 50,
  minutesWithoutProgress: 10,
  /** Of receipts, accounts or invoices that are asked for by number or id. */
  rowsOfLookUp: 1_000,
  /** More of them are handed over in several pages: they are not kept at once, and none takes long to deliver. */
  installmentsOfPage: 1_500,
  installmentsOfInvoice: 2_000,
  invoicesOfWorkspace: 2_000_000,
  /** Of one run: an ERP of which more cannot be read is not one that the service understands. */
  invoicesSetAside: 1_000,
  hoursOfRun: 6,
} as const;

/** Those that an operator may set. */
export type OwnBounds = Record<"installmentsOfInvoice" | "invoicesOfWorkspace" | "hoursOfRun", number>;

const WORDS = {
  installmentsOfInvoice: "installments of an invoice (MAX_INSTALLMENTS_PER_INVOICE)",
  invoicesOfWorkspace: "invoices of a workspace (MAX_INVOICES_PER_WORKSPACE)",
  invoicesSetAside: "invoices that cannot be read",
  hoursOfRun: "hours of a sync (MAX_SYNC_HOURS)",
  minutesWithoutProgress: "minutes without progress",
  rowsOfLookUp: "rows of a look-up",
} as const satisfies Partial<Record<keyof typeof ERP_BOUNDS, string>>;

/** The error for a reading that met a bound, which it names. */
export function beyondBound(bound: keyof typeof WORDS, most: number) {
  return new ErpError("erp_rejected", { code: "beyond_bound", most, what: WORDS[bound] });
}

/** Aborts what an ERP is asked with the error of a bound, once time is up: from {@link restart} on, or not at all. */
export class Patience {
  readonly #late = new AbortController();
  readonly #error: ErpError;
  readonly #milliseconds: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(bound: "minutesWithoutProgress" | "hoursOfRun", most: number) {
    this.#error = beyondBound(bound, most);
    this.#milliseconds = most * (bound === "hoursOfRun" ? 3_600_000 : 60_000);
    this.restart();
  }

  get signal() {
    return this.#late.signal;
  }

  restart() {
    this.pause();
    this.#timer = setTimeout(() => this.#late.abort(this.#error), this.#milliseconds);
  }

  pause() {
    clearTimeout(this.#timer);
  }
}
