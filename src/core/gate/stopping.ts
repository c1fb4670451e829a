/** Between two words to whoever serves what is being stopped, while the change waits for them. */
const REMIND_MS = 200;

/**
 * Makes a change that takes access away. Whoever serves the callers is told before it, so that a write in flight rolls
 * back rather than being waited for; while it waits, for a write that began in between; and after it.
 */
export async function stopping<T>(tell: () => Promise<void>, change: () => Promise<T>): Promise<T> {
  await tell();
  const reminder = setInterval(() => void tell().catch(() => undefined), REMIND_MS);
  try {
    return await change();
  } finally {
    clearInterval(reminder);
    await tell();
  }
}
