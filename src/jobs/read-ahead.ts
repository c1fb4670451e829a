/**
 * Yields what a source yields, and asks it for the next while the one before is worked on. What the source throws comes in
 * its turn.
 */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const items = source[Symbol.asyncIterator]();
  let next = items.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = items.next();
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    // Nobody waits for an item that is no longer wanted.
    items.return?.().catch(() => undefined);
  }
}
