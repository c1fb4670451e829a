/**
 * Preloaded into a process (`node --import`), it sets its clock wrong by the milliseconds that the file `CLOCK_FILE`
 * says, which may change at any time. Timers go on as they would on a machine whose clock somebody turns.
 */
import { readFileSync } from "node:fs";

const LOOK_MS = 20;
const file = process.env.CLOCK_FILE ?? "";
const trueNow = Date.now;
let aheadMs = 0;

function look(): void {
  try {
    aheadMs = Number(readFileSync(file, "utf8"));
  } catch {
    // Not there yet, or being written.
  }
}

look();
setInterval(look, LOOK_MS).unref();
Date.now = () => trueNow() + aheadMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, asked) => Reflect.construct(target, args.length === 0 ? [target.now()] : args, asked),
});
