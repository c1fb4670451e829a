import type { AuthorizationServerOptions } from "../../../auth/authorization-server/index.ts";

/** An internet of the test's own, on which documents may be published; it remembers what it was asked for. */
export interface FakeInternet {
  readonly parts: NonNullable<AuthorizationServerOptions["internet"]>;
  /** Addresses a connection was made to. */
  readonly fetched: string[];
  /** Names that were looked up. */
  readonly looked: string[];
}

/** Names that lead to no public address; every other name is public. */
const PRIVATE: Readonly<Record<string, string>> = {
  "inside.example.com": "10.1.2.3",
  "metadata.example.com": "169.254.169.254",
  "six.example.com": "fd00::1",
  "mapped.example.com": "::ffff:127.0.0.1",
};

export function fakeInternet(documents: Readonly<Record<string, object>> = {}): FakeInternet {
  const fetched: string[] = [];
  const looked: string[] = [];
  return {
    fetched,
    looked,
    parts: {
      async fetch(input) {
        const url = input instanceof Request ? input.url : String(input);
        fetched.push(url);
        const document = documents[url];
        if (document instanceof Response) return document.clone();
        return document === undefined ? new Response("", { status: 404 }) : Response.json(document);
      },
      async lookup(hostname) {
        looked.push(hostname);
        const address = PRIVATE[hostname] ?? "93.184.216.34";
        return [{ address, family: address.includes(":") ? 6 : 4 }];
      },
    },
  };
}
