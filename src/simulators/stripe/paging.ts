/** Where a page of a list begins: behind an object, or before one. */
export interface PageQuery {
  readonly limit: number;
  readonly starting_after?: string | undefined;
  readonly ending_before?: string | undefined;
}

/** A page of what is there, newest first. `find` throws the fault of an id that is not there. */
export function pageOf<T extends { readonly id: string }>(
  newestFirst: readonly T[],
  { limit, starting_after: after, ending_before: before }: PageQuery,
  find: (id: string) => unknown,
): { page: T[]; hasMore: boolean } {
  for (const id of [after, before]) if (id !== undefined) find(id);
  const place = (id: string): number => newestFirst.findIndex((one) => one.id === id);
  if (before !== undefined) {
    const newer = newestFirst.slice(0, Math.max(0, place(before)));
    return { page: newer.slice(-limit), hasMore: newer.length > limit };
  }
  const following = newestFirst.slice(after === undefined ? 0 : place(after) + 1);
  return { page: following.slice(0, limit), hasMore: following.length > limit };
}
