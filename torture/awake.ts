const BEAT_MS = 250;
const LONGEST_BEAT_MS = 1_000;

let awake = 0;
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  awake += Math.min(now - last, LONGEST_BEAT_MS);
  last = now;
}, BEAT_MS).unref();

/** How long this process was let run, in milliseconds: while a whole machine stands still, nobody is late. */
export function awakeMs(): number {
  return awake;
}
