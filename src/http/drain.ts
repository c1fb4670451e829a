import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as afterPolling, setTimeout as sleep } from "node:timers/promises";

/** Node ends an idle connection so long after it told its client; whoever sends within that time is answered. */
const IDLE_AFTER_MS = 1_000;
/** Closing the socket that listens resets whoever has come and was not taken up yet: so long they are still taken up. */
const LAST_COMERS_MS = 100;
/** Node takes up one connection in a turn of its loop: nobody waits any more once so many turns brought nobody. */
const QUIET_TURNS = 3;
/** Whoever comes without end is not waited for. */
const MOST_TURNS = 10_000;

/**
 * Prepares a server to be drained; the answer does it. From then on every answer is its connection's last, and a moment
 * later no connection is taken. A connection that waits for its client's next request is left its time, as announced by
 * `Keep-Alive`: closed at once, it would take the request with it that is on its way. Resolves when all have ended; what
 * has not after `cutOffMs` is cut off.
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
    await nobodyComes(server);
    // `Server.close` of HTTP would end the idle connections as well.
    const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
    const idle = setTimeout(() => server.closeIdleConnections(), server.keepAliveTimeout + IDLE_AFTER_MS);
    const cutOff = setTimeout(() => server.closeAllConnections(), cutOffMs);
    await closed;
    clearTimeout(idle);
    clearTimeout(cutOff);
  };
}

/** Resolves in a turn of the loop before which nobody came for a while. */
async function nobodyComes(server: Server): Promise<void> {
  let quiet = 0;
  const come = (): void => {
    quiet = 0;
  };
  server.on("connection", come);
  for (let turns = 0; quiet < QUIET_TURNS && turns < MOST_TURNS; turns += 1) {
    quiet += 1;
    await afterPolling();
  }
  server.off("connection", come);
}
