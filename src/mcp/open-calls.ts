/** One POST that is being served. */
export interface OpenPost {
  /** Ends its answer and aborts its handlers, at once. */
  abort(): void;
}

/**
 * The POSTs in flight of each assistant connection, in this process. Revoking a connection ends them
 * (service.md §1: "revoking an assistant connection stops it immediately").
 */
export class OpenCalls {
  readonly #posts = new Map<string, Set<OpenPost>>();
  readonly #abortedMeanwhile = new Set<string>();
  #authenticating = 0;

  /** POSTs in flight, of all connections. */
  get size(): number {
    let size = 0;
    for (const posts of this.#posts.values()) size += posts.size;
    return size;
  }

  /**
   * Authenticates one POST and opens it. Whoever is aborted while their authentication is under way is let in by a
   * stale answer: such a POST is aborted as soon as it is opened.
   */
  async open<Caller extends { readonly key: string }, Post extends OpenPost>(
    authenticate: () => Promise<Caller | null>,
    post: (caller: Caller) => Post,
  ): Promise<Post | null> {
    this.#authenticating++;
    try {
      const caller = await authenticate();
      if (caller === null) return null;
      const opened = post(caller);
      this.#add(caller.key, opened);
      if (this.#abortedMeanwhile.has(caller.key)) opened.abort();
      return opened;
    } finally {
      this.#authenticating--;
      if (this.#authenticating === 0) this.#abortedMeanwhile.clear();
    }
  }

  /** Forgets a POST that has been answered and whose handlers have ended. */
  close(callerKey: string, post: OpenPost): void {
    const posts = this.#posts.get(callerKey);
    if (posts?.delete(post) && posts.size === 0) this.#posts.delete(callerKey);
  }

  /** Ends every open stream and aborts every handler in flight of one connection; says how many POSTs that were. */
  abortCaller(callerKey: string): number {
    if (this.#authenticating > 0) this.#abortedMeanwhile.add(callerKey);
    const posts = [...(this.#posts.get(callerKey) ?? [])];
    for (const post of posts) post.abort();
    return posts.length;
  }

  #add(callerKey: string, post: OpenPost): void {
    const posts = this.#posts.get(callerKey);
    if (posts) posts.add(post);
    else this.#posts.set(callerKey, new Set([post]));
  }
}
