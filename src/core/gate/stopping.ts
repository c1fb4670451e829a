/** Interval of the notices that are repeated while the change waits for a lock. */
const REMIND_MS = 200;

/**
 * Makes a change that ends access. Processes that serve the access are told before, so that a write in flight rolls back
 * and is not waited for; repeatedly meanwhile, for writes that begin in between; and after.
 */
export async function stopping<T>(tell: () => Promise<void>, change: () => Promise<T>) {
  await tell();
  const reminder = setInterval(() => void tell().catch(() => undefined), REMIND_MS);
  try {
    return await change();
  } finally {
    clearInterval(reminder);
    await tell();
  }
}
