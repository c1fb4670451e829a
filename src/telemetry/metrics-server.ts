import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isAddressHost } from "../http/hosts.ts";

/** Answers one request for metrics. */
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Serves `/metrics` to those who ask by an address, by a name of this network (without a dot), or by `host`, which is listened on:
 * a page in somebody's browser cannot reach it under a name of its own. Rejects where the port is taken.
 */
export async function serveMetrics(handle: Handler, { host, port }: { host: string; port: number }): Promise<Server> {
  const server = createServer((request, response) => {
    response.setHeader("X-Content-Type-Options", "nosniff");
    const name = (request.headers.host ?? "").toLowerCase();
    const isOurs = isAddressHost(name) || !name.includes(".") || name.replace(/:\d+$/, "") === host.toLowerCase();
    if (name === "" || !isOurs) return void response.writeHead(421).end();
    if (request.url?.split("?", 1)[0] !== "/metrics") return void response.writeHead(404).end();
    handle(request, response);
  });
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return server;
}
