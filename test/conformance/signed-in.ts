import { request } from "node:http";
import { listen } from "../support/http.ts";

/**
 * The service as somebody signed in sees it: passes everything on with an access token, which the suite cannot send.
 * A request that names this proxy as its host or origin means the service; any other host or origin is kept.
 */
export function signedIn(service: string, accessToken: string): Promise<{ url: string; close(): Promise<void> }> {
  const { host, origin } = new URL(service);
  return listen((incoming, outgoing) => {
    const own = new RegExp(`(localhost|127\\.0\\.0\\.1):${incoming.socket.localPort}$`);
    const headers = { ...incoming.headers, authorization: `Bearer ${accessToken}` };
    headers.host = headers.host?.replace(own, host);
    headers.origin = headers.origin?.replace(own, host);
    if (headers.origin === undefined) delete headers.origin;
    const upstream = request(new URL(incoming.url ?? "/", origin), { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.once("error", () => outgoing.destroy());
    incoming.pipe(upstream);
  });
}
