import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { httpServer } from "../../src/http/server.ts";

/** Serves `app` on a free loopback port. */
export async function listen(app: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = httpServer(app, randomUUID, "http://localhost");
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends bytes as they are to an origin, and returns everything it answers until it closes the connection. */
export function sendRaw(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}
