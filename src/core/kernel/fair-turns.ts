/** The work cannot wait any longer: too much of the same source, or of all, waits already. */
export class TooBusy extends Error {
  override readonly name = "TooBusy";
}

export interface FairTurnsOptions {
  /** Pieces of work at once. */
  readonly concurrency: number;
  /** Pieces of one source that may wait. */
  readonly waitingOfSource: number;
  /** Sources that may have work waiting. */
  readonly sources: number;
}

/** Of the sources that may have work waiting, the share within which those do that may not crowd. */
const NO_CROWD = 0.1;

/** Turns that `known` sources may have in a row while others wait. */
const KNOWN_IN_ROW = 3;

/**
 * Does costly work some pieces at a time. Those who wait take turns by source, so that one with many pieces delays another's by
 * one piece at most; `known` sources go first, and those that are not have every fourth turn at least. Where many wait, work that may not crowd does not.
 */
export class FairTurns {
  readonly #options: FairTurnsOptions;
  /** Sources in the order of their next turn. */
  readonly #known = new Map<string, (() => void)[]>();
  readonly #others = new Map<string, (() => void)[]>();
  #running = 0;
  #knownInRow = 0;

  constructor(options: FairTurnsOptions) {
    this.#options = options;
  }

  /** Rejects with {@link TooBusy} for what may not wait. */
  async run<T>(source: string, work: () => Promise<T>, { known = false, mayCrowd = true } = {}): Promise<T> {
    const most = this.#options.sources * (mayCrowd ? 1 : NO_CROWD);
    if (this.#running >= this.#options.concurrency) await this.#turn(source, known ? this.#known : this.#others, most);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  #turn(source: string, queues: Map<string, (() => void)[]>, mostSources: number): Promise<void> {
    const queue = queues.get(source) ?? [];
    const isFull = queue.length === 0 ? queues.size >= mostSources : queue.length >= this.#options.waitingOfSource;
    if (isFull) throw new TooBusy("too much waits already");
    queues.set(source, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  /** Hands the turn that ends to whose turn it is. */
  #pass(): void {
    const isOthers = this.#known.size === 0 || this.#knownInRow >= KNOWN_IN_ROW;
    if (isOthers && this.#next(this.#others)) this.#knownInRow = 0;
    else if (this.#next(this.#known)) this.#knownInRow += 1;
    else this.#running -= 1;
  }

  /** Begins the next piece in a queue; false if none waits there. */
  #next(queues: Map<string, (() => void)[]>): boolean {
    const [first] = queues;
    if (first === undefined) return false;
    const [source, queue] = first;
    const begin = queue.shift();
    queues.delete(source);
    if (queue.length > 0) queues.set(source, queue);
    begin?.();
    return true;
  }
}
