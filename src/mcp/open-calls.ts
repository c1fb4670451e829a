/** One POST in progress. */
export interface OpenPost {
  /** Ends its response and aborts its handlers at once. */
  abort(why: StopReason): void;
}

/** Why calls are aborted: their access ended, or notices that it has can no longer be received. */
export type StopReason = "withdrawn" | "outage";

/** The connection of a call. */
interface Keyed {
  readonly key: string;
}

type Matches<Caller> = (caller: Caller) => boolean;

/** The POSTs in flight of all assistant connections of this process; they end with their access (service.md §1). */
export class OpenCalls<Caller extends Keyed = Keyed> {
  readonly #posts = new Map<OpenPost, Caller>();
  /** For each authentication in progress, the aborts since it began. */
  readonly #authenticating = new Set<[matches: Matches<Caller>, why: StopReason][]>();

  /** POSTs in flight, of all connections. */
  get size() {
    return this.#posts.size;
  }

  /** Authenticates one POST and opens it; one that is aborted meanwhile had stale data, and is aborted at once. */
  async open<Post extends OpenPost>(authenticate: () => Promise<Caller | null>, post: (caller: Caller) => Post) {
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

  /** Removes a POST that has been answered and whose handlers have ended. */
  close(post: OpenPost) {
    this.#posts.delete(post);
  }

  /** Aborts the POSTs of matching callers; returns how many. */
  abort(matches: Matches<Caller>, why: StopReason = "withdrawn") {
    for (const meanwhile of this.#authenticating) meanwhile.push([matches, why]);
    const found = [...this.#posts].filter(([, caller]) => matches(caller));
    for (const [post] of found) post.abort(why);
    return found.length;
  }
}
