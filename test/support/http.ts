import { randomUUID } from "node:crypto";
import { Server as HttpServer, type RequestListener } from "node:http";
import { connect, type Server } from "node:net";
import { text } from "node:stream/consumers";
import { httpServer } from "../../src/http/server.ts";

/** A server that listens on loopback. */
export interface Listening {
  readonly port: number;
  readonly url: string;
  /** Ends what is under way, too. */
  close(): Promise<void>;
}

/** Has a server listen on a free loopback port. */
export async function onLoopback(server: Server, host = "127.0.0.1"): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return {
    port: address.port,
    url: `http://${host}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if (server instanceof HttpServer) server.closeAllConnections();
      }),
  };
}

/** Serves `app` as the service serves its own. */
export const listen = (app: RequestListener): Promise<Listening> =>
  onLoopback(httpServer(app, randomUUID, "http://localhost"));

/** Sends bytes as they are to an origin, and returns everything it answers until it closes the connection. */
export function sendRaw(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}

/** What answers a request of each head, all sent at once, as many of a connection as the server takes. */
export async function flood(origin: string, heads: readonly string[]): Promise<string> {
  const groups = Map.groupBy(heads.entries(), ([at]) => Math.floor(at / 8)).values();
  const sent = [...groups].map((group) => group.map(([, head]) => head).join("\r\n"));
  const answers = sent.map((some) => sendRaw(origin, `${some}Connection: close\r\n\r\n`));
  return (await Promise.all(answers)).join("");
}
