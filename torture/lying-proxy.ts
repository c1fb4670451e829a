import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { parseLossless } from "../src/gateways/erp/lossless-json.ts";

const Page = z.looseObject({ items: z.array(z.looseObject({})) });

/** A page of a list, as its JSON is. */
export type Page = z.output<typeof Page>;

/** Makes a page say something else; answers its text where that is no JSON any more. */
export type Lie = (page: Page) => string | undefined;

/** Stands before an ERP simulator and lies about its list of invoices, as long as it is told to. */
export interface LyingProxy {
  readonly url: string;
  /** Asked for each page; null tells the truth. */
  lie: (() => Lie | null) | null;
  /** How many pages it lied about. */
  lies: number;
  close(): Promise<void>;
}

export async function startLyingProxy(behind: string): Promise<LyingProxy> {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", behind);
    const body = await text(request);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === "string" && !["host", "connection", "content-length"].includes(name))
        headers.set(name, value);
    try {
      const answer = await fetch(url, {
        method: request.method ?? "GET",
        headers,
        ...(body === "" ? {} : { body }),
      });
      let told = await answer.text();
      // Asked for by id, it tells the truth: what it denied then would rightly be believed gone.
      const isListing = request.method === "GET" && url.pathname.endsWith("/receivablesInvoices");
      const lie = isListing && answer.ok && !url.searchParams.has("q") ? (proxy.lie?.() ?? null) : null;
      if (lie !== null) {
        proxy.lies += 1;
        const page = Page.parse(parseLossless(told, (digits) => JSON.rawJSON(digits)));
        told = lie(page) ?? JSON.stringify(page);
      }
      response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "application/json" });
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
