import type { IncomingMessage } from "node:http";
import { listen } from "./http.ts";

/** A way to a payment provider on which the making of links can be held up. */
export interface HeldProvider {
  readonly url: string;
  /** Lets so many links be made from now on; the next ones wait. */
  hold(pass: number): void;
  /** Requests that wait now. */
  readonly waiting: number;
  /** Lets everything go on. */
  release(): void;
  close(): Promise<void>;
}

/** Stands in front of a Stripe-shaped service. */
export async function heldProvider(target: string): Promise<HeldProvider> {
  let left = Number.POSITIVE_INFINITY;
  let held: (() => void)[] = [];
  const release = (): void => {
    left = Number.POSITIVE_INFINITY;
    for (const goOn of held.splice(0)) goOn();
  };
  const server = await listen(async (request, response) => {
    const body = await bodyOf(request);
    if (request.method === "POST" && request.url === "/v1/payment_links") {
      left -= 1;
      if (left < 0) await new Promise<void>((goOn) => void held.push(goOn));
    }
    const { host: _host, connection: _connection, "content-length": _length, ...rest } = request.headers;
    const headers = Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]);
    const method = request.method ?? "GET";
    const answer = await fetch(target + request.url, { method, headers, ...(method === "GET" ? {} : { body }) });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
    response.end(await answer.text());
  });
  return {
    url: server.url,
    hold(pass) {
      left = pass;
    },
    get waiting() {
      return held.length;
    },
    release,
    async close() {
      held = [];
      await server.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
