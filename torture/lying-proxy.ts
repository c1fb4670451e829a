import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** Makes of the text of an answer another one. */
export type Lie = (told: string) => string;

/** Stands before a simulator and lies about what it answers, as long as it is told to. */
export interface LyingProxy {
  readonly url: string;
  /** Asked for each answer that may be lied about, by its address; null tells the truth. */
  lie: ((url: URL) => Lie | null) | null;
  /** How many answers it lied about. */
  lies: number;
  close(): Promise<void>;
}

/** Of the connection, not of the message. */
const HOP_HEADERS = new Set([
  "host",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "content-encoding",
]);

/** `mayLie` says of a request whether its answer may be lied about, where it is a success. */
export async function startLyingProxy(
  behind: string,
  mayLie: (method: string, url: URL) => boolean,
): Promise<LyingProxy> {
  const server = createServer(async (request, response) => {
    const { method = "GET" } = request;
    const url = new URL(request.url ?? "/", behind);
    const body = await text(request);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === "string" && !HOP_HEADERS.has(name)) headers.set(name, value);
    try {
      const answer = await fetch(url, { method, headers, ...(body === "" ? {} : { body }) });
      let told = await answer.text();
      const lie = answer.ok && mayLie(method, url) ? (proxy.lie?.(url) ?? null) : null;
      if (lie !== null) {
        proxy.lies += 1;
        told = lie(told);
      }
      const passed = [...answer.headers].filter(([name]) => !HOP_HEADERS.has(name));
      response.writeHead(answer.status, Object.fromEntries(passed));
      response.end(told);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const proxy: LyingProxy = {
    url: `http://127.0.0.1:${port}`,
    lie: null,
    lies: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
