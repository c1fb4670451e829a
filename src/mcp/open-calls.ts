/** One POST that is being served. */
export interface OpenPost {
  /** Ends its answer and aborts its handlers, at once. */
  abort(why: StopReason): void;
}

/** Why calls are ended: access was taken from them, or nobody can hear any more whether it was. */
export type StopReason = "withdrawn" | "outage";

/** A connection, as far as this needs to know it. */
interface Keyed {
  readonly key: string;
}

type Matches<Caller> = (caller: Caller) => boolean;

/**
 * The POSTs in flight of all assistant connections, in this process. Whatever takes access from some of them ends theirs
 * (service.md §1: "revoking an assistant connection stops it immediately").
 */
export class OpenCalls<Caller extends Keyed = Keyed> {
  readonly #posts = new Map<OpenPost, Caller>();
  /** Of each authentication under way: whom to stop has been said since it began. */
  readonly #authenticating = new Set<[matches: Matches<Caller>, why: StopReason][]>();

  /** POSTs in flight, of all connections. */
  get size(): number {
    return this.#posts.size;
  }

  /**
   * Authenticates one POST and opens it. Whoever is aborted while their authentication is under way is let in by a
   * stale answer: such a POST is aborted as soon as it is opened.
   */
  async open<Post extends OpenPost>(
    authenticate: () => Promise<Caller | null>,
    post: (caller: Caller) => Post,
  ): Promise<Post | null> {
    const meanwhile: [matches: Matches<Caller>, why: StopReason][] = [];
    this.#authenticating.add(meanwhile);
    try {
      const caller = await authenticate();
      if (caller === null) return null;
      const opened = post(caller);
      this.#posts.set(opened, caller);
      const stopped = meanwhile.find(([matches]) => matches(caller));
      if (stopped !== undefined) opened.abort(stopped[1]);
      return opened;
    } finally {
      this.#authenticating.delete(meanwhile);
    }
  }

  /** Forgets a POST that has been answered and whose handlers have ended. */
  close(post: OpenPost): void {
    this.#posts.delete(post);
  }

  /** Ends every open stream and aborts every handler in flight of those who match; says how many POSTs that were. */
  abort(matches: Matches<Caller>, why: StopReason = "withdrawn"): number {
    for (const meanwhile of this.#authenticating) meanwhile.push([matches, why]);
    const found = [...this.#posts].filter(([, caller]) => matches(caller));
    for (const [post] of found) post.abort(why);
    return found.length;
  }

  /** The same, of one connection. */
  abortCaller(key: string): number {
    return this.abort((caller) => caller.key === key);
  }
}
