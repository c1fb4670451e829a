const MOVED_MEANWHILE = /^could not find valid entry for shard \d+/;

/** Whether a shard was moved between the plan of a statement and its execution: its transaction did nothing and may be tried again. */
export function isMovedMeanwhile(error: unknown) {
  return error instanceof Error && MOVED_MEANWHILE.test(error.message);
}

/** What may be done twice, done again where a shard was moved meanwhile. */
export async function plannedAgain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isMovedMeanwhile(error)) throw error;
    return work();
  }
}
