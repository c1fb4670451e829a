/** How long a failure is kept at most. */
const FAILURE_MS = 1_000;

/** `read`, whose answer is given again for this long; all who ask while it reads get the same. */
export function kept<T>(read: () => Promise<T>, milliseconds: number) {
  let last: { until: number; answer: Promise<T> } | null = null;
  return () => {
    if (last !== null && performance.now() < last.until) return last.answer;
    const own = { until: Number.POSITIVE_INFINITY, answer: read() };
    const keepFor = (time: number) => () => {
      own.until = performance.now() + time;
    };
    own.answer.then(keepFor(milliseconds), keepFor(Math.min(milliseconds, FAILURE_MS)));
    last = own;
    return own.answer;
  };
}
