/** What must never happen, by its column in the table. */
export type Wrong = "lost" | "doubled" | "crossTenant" | "unlisted";

const SAMPLES_KEPT = 8;

/** What differs between two requests of a kind: ids, and how long they took. */
const OF_ONE_REQUEST = /\b(?=\w*\d)[\w-]{8,}|(?<=after )\d+(?= ms)/g;

/** What a kind of fault did to its requests. */
export class Tally {
  /** What goes on just now, in words. */
  stage = "starting";
  requests = 0;
  /** Answered with an error that says to try again. */
  failed = 0;
  /** Requests whose connection broke, or was silent for too long, before the answer was complete: what became of each. */
  readonly cuts: string[] = [];
  readonly wrong: Record<Wrong, number> = { lost: 0, doubled: 0, crossTenant: 0, unlisted: 0 };
  /** How often each thing failed, was cut off or was refused, in words that leave ids out. */
  readonly reasons = new Map<string, number>();
  /** The first of what was wrong, in words. */
  readonly samples: string[] = [];
  /** What somebody who reads the table should know besides. */
  readonly notes: string[] = [];
  breaches = 0;
  /** Who must not notice the fault: anything of theirs that fails or breaks off is a breach. */
  readonly sheltered = new Set<string>();
  #answerMs = Number.POSITIVE_INFINITY;
  #mayFailWith = /^/;
  #expectedCut = 0;
  #expectedFailed = 0;
  #expectedRefused = 0;

  /** Holds every answer to a time, every one that says the service failed to `Retry-After`, and failures to certain words. */
  hold({ answerMs, mayFailWith = /^/ }: { answerMs: number; mayFailWith?: RegExp }): void {
    this.#answerMs = answerMs;
    this.#mayFailWith = mayFailWith;
  }

  /** An answer was begun after so long. */
  answered(what: string, ms: number, { status, headers }: Pick<Response, "status" | "headers">): void {
    if (ms > this.#answerMs) this.breach(`${what} was answered ${status} after ${Math.round(ms)} ms`);
    const isHeld = Number.isFinite(this.#answerMs) && status >= 500;
    if (isHeld && !/^\d+$/.test(headers.get("Retry-After") ?? ""))
      this.breach(`${what}: ${status} without Retry-After`);
  }

  /** A limit that the kind holds the service to was not kept. */
  breach(what: string): void {
    this.breaches += 1;
    this.#sample(`limit: ${what}`);
  }

  count(kind: Wrong, what: string): void {
    this.wrong[kind] += 1;
    this.#sample(`${kind}: ${what}`);
  }

  /** `of`: the marker of the tenant whose request it was. */
  fail(what: string, of = ""): void {
    this.failed += 1;
    this.#note("failed", what);
    if (this.sheltered.has(of)) this.breach(`${of} failed: ${what}`);
    else if (!this.#mayFailWith.test(what)) this.breach(`failed in other words: ${what}`);
    else if (this.#expectedFailed === 0) this.#sample(`failed: ${what}`);
  }

  get cut(): number {
    return this.cuts.length;
  }

  breakOff(what: string, of = ""): void {
    this.cuts.push(what);
    this.#note("cut", what);
    if (this.sheltered.has(of)) this.breach(`${of} was cut off: ${what}`);
    else if (this.#expectedCut === 0) this.#sample(`cut: ${what}`);
  }

  /** A notification of a provider was not taken, or a sign-in ran out: it comes again. */
  refuse(what: string): void {
    if (this.#expectedRefused === 0) this.fail(what);
    else this.#note("refused", what);
  }

  /**
   * The kind of fault makes requests fail, cuts them off, or has notifications refused, by its nature: each is sent
   * again.
   */
  expect(what: { failed?: boolean; cut?: boolean; refused?: boolean }): void {
    if (what.refused) this.#expectedRefused += 1;
    if (what.failed) this.#expectedFailed += 1;
    if (what.cut) this.#expectedCut += 1;
  }

  /** Whether the kind did what it may do and nothing else. */
  get passed(): boolean {
    const clean = Object.values(this.wrong).every((count) => count === 0);
    return (
      clean &&
      this.breaches === 0 &&
      (this.failed === 0 || this.#expectedFailed > 0) &&
      (this.cut === 0 || this.#expectedCut > 0)
    );
  }

  #note(column: string, what: string): void {
    const reason = `${column}: ${what.replace(OF_ONE_REQUEST, "…")}`;
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
  }

  #sample(text: string): void {
    if (this.samples.length < SAMPLES_KEPT) this.samples.push(text.slice(0, 400));
  }
}
