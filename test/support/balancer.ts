import { createServer, connect as open, type Socket } from "node:net";

/** A plain TCP balancer: it knows ports, and nothing of what goes over them. */
export interface Balancer {
  readonly port: number;
  /** The ports connections go to, in turn. A refused connect goes on to the next; once a byte went over, nothing is retried. */
  targets: readonly number[];
  close(): Promise<void>;
}

/** How long a connection is held while every target refuses it. */
const PATIENCE_MS = 45_000;
const PAUSE_MS = 25;

/** Starts one on a free loopback port. */
export async function startBalancer(): Promise<Balancer> {
  let turn = 0;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };

  /** A connection to the first target that takes one; null where none does, or the client has left. */
  async function reach(client: Socket): Promise<Socket | null> {
    const patience = Date.now() + PATIENCE_MS;
    while (Date.now() < patience && !client.destroyed) {
      const { targets } = balancer;
      for (let tried = 0; tried < targets.length; tried += 1) {
        const server = await dial(targets[turn++ % targets.length] ?? 0);
        if (server !== null) return server;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return null;
  }

  const listener = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, async (client) => {
    keep(client);
    client.on("error", () => undefined);
    const server = await reach(client);
    if (server === null) return void client.destroy();
    keep(server);
    join(client, server);
    join(server, client);
    client.resume();
    if (client.destroyed) server.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  const balancer: Balancer = {
    port: typeof address === "object" && address !== null ? address.port : 0,
    targets: [],
    async close() {
      const closed = new Promise((resolve) => listener.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return balancer;
}

function dial(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = open({ port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
    socket.once("connect", () => resolve(socket));
    socket.on("error", () => resolve(null));
  });
}

/** What one side sends, says last or breaks off, the other hears as it was. */
function join(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on("error", () => to.resetAndDestroy());
  from.once("close", (broken) => {
    if (broken) to.resetAndDestroy();
    else if (!from.readableEnded) to.destroy();
  });
}
