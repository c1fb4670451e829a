import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A request may be on its way over a connection that is idle: so long it is left to arrive, however long it may idle. */
const IDLE_GRACE_MS = 1_000;
/** Closing the socket that listens resets whoever has come and was not taken up yet: so long they are still taken up. */
const LAST_COMERS_MS = 100;
/** Node takes up one connection in a turn of its loop: nobody waits any more once so many turns brought nobody. */
const QUIET_TURNS = 3;
/** A turn that took longer did something else after its look at who has come: somebody may have come meanwhile. */
const SHORT_TURN_MS = 0.2;
/** Whoever comes without end, or a loop that is never idle, is not waited for. */
const LONGEST_WAIT_MS = 2_000;

/**
 * Prepares a server to be drained; the answer does it. From then on every answer is its connection's last, and a moment
 * later no connection is taken. One that waits for its client's next request is closed a second later: closed at once, it
 * would take the request with it that is on its way. Resolves when all have ended; what has not after `cutOffMs` is cut off.
 */
export function drainable(server: Server): (cutOffMs: number) => Promise<void> {
  const underWay = new Set<ServerResponse>();
  let draining = false;
  server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    if (draining) response.shouldKeepAlive = false;
    underWay.add(response);
    response.once("close", () => underWay.delete(response));
  });
  return async (cutOffMs) => {
    draining = true;
    for (const response of underWay) if (!response.headersSent) response.shouldKeepAlive = false;
    await sleep(LAST_COMERS_MS);
    const closed = new Promise((resolve) => {
      // `Server.close` of HTTP would end the idle connections as well.
      whenNobodyComes(server, () => NetServer.prototype.close.call(server, resolve));
    });
    // Timers come before reading in a turn of the loop: what has arrived over an idle connection is read first.
    const idle = setTimeout(() => setImmediate(() => server.closeIdleConnections()), IDLE_GRACE_MS);
    const cutOff = setTimeout(() => server.closeAllConnections(), cutOffMs);
    await closed;
    clearTimeout(idle);
    clearTimeout(cutOff);
  };
}

/** Calls in a turn of the loop that did nothing but look who has come, as those before it, and found nobody. */
function whenNobodyComes(server: Server, call: () => void): void {
  const begun = performance.now();
  let [quiet, last] = [0, begun];
  const come = (): void => {
    quiet = 0;
  };
  const turn = (): void => {
    const now = performance.now();
    quiet = now - last > SHORT_TURN_MS ? 0 : quiet + 1;
    last = now;
    if (quiet <= QUIET_TURNS && now - begun < LONGEST_WAIT_MS) return void setImmediate(turn);
    server.off("connection", come);
    call();
  };
  server.on("connection", come);
  setImmediate(turn);
}
