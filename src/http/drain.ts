import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** How long idle connections stay open: a request may already be on its way over one. */
const IDLE_GRACE_MS = 1_000;
/** How long new connections are still accepted: closing the listening socket would reset those in its backlog. */
const LAST_COMERS_MS = 100;
/** Node accepts one connection per turn of the event loop: after this many turns without one the backlog is empty. */
const QUIET_TURNS = 3;
/** A longer turn did other work after accepting: a connection may have come meanwhile. */
const SHORT_TURN_MS = 0.2;
/** The limit of that wait, for constant new connections or a busy event loop. */
const LONGEST_WAIT_MS = 2_000;

/**
 * Returns what drains `server`: connections are taken for `delayMs` more, each answer ends its own, and it resolves when all
 * requests have ended. Those left after `cutOffMs` in all are cut off.
 */
export function drainable(server: Server): (cutOffMs: number, delayMs?: number) => Promise<void> {
  const underWay = new Set<ServerResponse>();
  let draining = false;
  server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    if (draining) response.shouldKeepAlive = false;
    underWay.add(response);
    response.once("close", () => underWay.delete(response));
  });
  return async (cutOffMs, delayMs = 0) => {
    draining = true;
    for (const response of underWay) if (!response.headersSent) response.shouldKeepAlive = false;
    const cutOff = setTimeout(() => server.closeAllConnections(), cutOffMs);
    await sleep(Math.max(LAST_COMERS_MS, delayMs));
    const closed = new Promise((resolve) => {
      // `Server.close` of HTTP would also close the idle connections.
      whenBacklogIsEmpty(server, () => NetServer.prototype.close.call(server, resolve));
    });
    // A turn of the event loop runs timers before it reads sockets: setImmediate lets requests that have arrived be read.
    const idle = setTimeout(() => setImmediate(() => server.closeIdleConnections()), IDLE_GRACE_MS);
    await closed;
    clearTimeout(idle);
    clearTimeout(cutOff);
  };
}

/** Calls `call` once several short turns of the event loop in a row accepted no connection. */
function whenBacklogIsEmpty(server: Server, call: () => void) {
  const begun = performance.now();
  let [quiet, last] = [0, begun];
  const onConnection = (): void => {
    quiet = 0;
  };
  const turn = (): void => {
    const now = performance.now();
    quiet = now - last > SHORT_TURN_MS ? 0 : quiet + 1;
    last = now;
    if (quiet <= QUIET_TURNS && now - begun < LONGEST_WAIT_MS) return void setImmediate(turn);
    server.off("connection", onConnection);
    call();
  };
  server.on("connection", onConnection);
  setImmediate(turn);
}
