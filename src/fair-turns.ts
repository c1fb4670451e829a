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
  /** Pieces of one source at once; as many as of all without it. */
  readonly ofSource?: number;
  /** A source has no more at once than stay free beside them, save its first: the fewer are free the less each gets. */
  readonly leavesRoom?: boolean;
  /** After a piece its turn stays taken this many times as long as the piece took, which leaves time to others. */
  readonly rests?: number;
  /** How long of that its place among all stays taken too, at most, in milliseconds; all of it without. */
  readonly placeRestsMs?: number;
  /** How long a piece waits at most, in milliseconds; without it for as long as it takes. */
  readonly waitMs?: number;
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
  /** Pieces under way, by source. */
  readonly #running = new Map<string, number>();
  #count = 0;
  #knownInRow = 0;

  constructor(options: FairTurnsOptions) {
    this.#options = options;
  }

  /** Rejects with {@link TooBusy} for what may not wait, or has waited for too long. */
  async run<T>(source: string, work: () => Promise<T>, { known = false, mayCrowd = true } = {}): Promise<T> {
    const most = this.#options.sources * (mayCrowd ? 1 : NO_CROWD);
    if (this.#mayBegin(source)) this.#begin(source);
    else await this.#turn(source, known ? this.#known : this.#others, most);
    const began = performance.now();
    try {
      return await work();
    } finally {
      const { rests = 0, placeRestsMs = Number.POSITIVE_INFINITY } = this.#options;
      const rest = rests * (performance.now() - began);
      // Of both at once the source goes first: who has the place next is then chosen among all.
      this.#after(rest, () => this.#move(source, -1));
      this.#after(Math.min(rest, placeRestsMs), () => {
        this.#count -= 1;
      });
    }
  }

  #after(ms: number, free: () => void) {
    const end = () => {
      free();
      this.#pass();
    };
    if (ms === 0) end();
    else setTimeout(end, ms).unref();
  }

  /** Pieces that wait. */
  get waiting(): number {
    return [...this.#known.values(), ...this.#others.values()].reduce((count, queue) => count + queue.length, 0);
  }

  #mayBegin(source: string) {
    const { concurrency, ofSource = concurrency, leavesRoom = false } = this.#options;
    const [own, free] = [this.#running.get(source) ?? 0, concurrency - this.#count];
    return free > 0 && own < ofSource && (!leavesRoom || own === 0 || own < free);
  }

  #begin(source: string) {
    this.#count += 1;
    this.#move(source, 1);
  }

  #move(source: string, by: 1 | -1) {
    const count = (this.#running.get(source) ?? 0) + by;
    if (count === 0) this.#running.delete(source);
    else this.#running.set(source, count);
  }

  #turn(source: string, queues: Map<string, (() => void)[]>, mostSources: number) {
    const { waitingOfSource, waitMs } = this.#options;
    const queue = queues.get(source) ?? [];
    const isFull = queue.length === 0 ? queues.size >= mostSources : queue.length >= waitingOfSource;
    if (isFull) throw new TooBusy("too much waits already");
    queues.set(source, queue);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      queue.splice(queue.indexOf(begin), 1);
      if (queue.length === 0) queues.delete(source);
      reject(new TooBusy("too much is under way"));
    };
    const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
    const begin = (): void => {
      clearTimeout(timer);
      resolve();
    };
    queue.push(begin);
    return promise;
  }

  /** Hands turns that are free to those whose turn it is. */
  #pass() {
    for (;;) {
      const isOthers = this.#known.size === 0 || this.#knownInRow >= KNOWN_IN_ROW;
      if (isOthers && this.#next(this.#others)) this.#knownInRow = 0;
      else if (this.#next(this.#known)) this.#knownInRow += 1;
      else if (!this.#next(this.#others)) return;
    }
  }

  /** Begins the next piece in a queue that may begin; false if none waits there. */
  #next(queues: Map<string, (() => void)[]>) {
    for (const [source, queue] of queues) {
      if (!this.#mayBegin(source)) continue;
      const begin = queue.shift();
      queues.delete(source);
      if (queue.length > 0) queues.set(source, queue);
      this.#begin(source);
      begin?.();
      return true;
    }
    return false;
  }
}
