import { beforeEach } from "vitest";
import { listAgingInstallments } from "../../../src/core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../../src/core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../../src/core/aging/operations/summarize-aging.ts";
import { type Book, openBook } from "../../support/book.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { call } from "../../support/lists.ts";
import type { TestStore } from "../../support/stores.ts";
import { useStore } from "../../support/use-store.ts";

/** A moment of the days before every report here. */
export const LATER = "2026-03-05T08:30:00.000Z";

/** Asks the three operations as the reader of one workspace. */
export class Desk {
  readonly opened: TestStore;
  readonly book: Book;
  readonly clock: TestClock;
  readonly #core: ReturnType<typeof testCore>;

  constructor(opened: TestStore, book: Book, clock: TestClock) {
    this.opened = opened;
    this.book = book;
    this.clock = clock;
    this.#core = testCore(opened.store, clock);
  }

  /** A desk in a new workspace of the store, at noon of 2026-03-10 in London. */
  static async open(opened: TestStore, timezone = "UTC"): Promise<Desk> {
    return new Desk(opened, await openBook(opened.store, { timezone }), new TestClock("2026-03-10T12:00:00.000Z"));
  }

  summary = (input: object = {}) => call(this.#core, summarizeAging, this.book.reader, input);
  customers = (input: object = {}) => call(this.#core, listCustomerAging, this.book.reader, input);
  installments = (input: object = {}) => call(this.#core, listAgingInstallments, this.book.reader, input);
}

/** A store for the tests of a block, with a new workspace for each. */
export function desks(open: () => Promise<TestStore>): () => Desk {
  const opened = useStore(open);
  let desk: Desk;
  beforeEach(async () => {
    desk = await Desk.open(opened);
  });
  return () => desk;
}
