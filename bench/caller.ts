/** A caller on a thread of its own: asks for the same over and over, page after page, so that its work is not the server's. */
import { once } from "node:events";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { z } from "zod";

const Pagination = z.object({ next_cursor: z.string().nullable() });
const Page = z.object({ pagination: Pagination });
const Answer = z.object({
  result: z.object({
    isError: z.literal(false).optional(),
    structuredContent: z.object({ pagination: Pagination.optional() }),
  }),
});

interface Identity {
  /** Of the service. */
  url: string;
  /** An access token or an API key. */
  token: string;
}

/** So many calls, one at a time; a list goes on with its next page, and from the start again at its end. */
type Calls = { readonly calls: number } & (
  | { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  /** The path and query of a list. */
  | { readonly path: string }
);

/** Somebody who calls as they are told. */
export interface Caller {
  /** How long each call waited for its whole answer, in milliseconds. Rejects when one was not answered as it should be. */
  make(calls: Calls): Promise<readonly number[]>;
  /** Goes on with another token: theirs lasts ten minutes. */
  take(token: string): void;
  leave(): Promise<void>;
}

export async function startCaller(identity: Identity): Promise<Caller> {
  const worker = new Worker(new URL(import.meta.url), { workerData: identity });
  return {
    async make(calls) {
      worker.postMessage(calls);
      const [made] = await once(worker, "message");
      if (typeof made === "string") throw new Error(`${JSON.stringify(calls)}: ${made}`);
      return made;
    },
    take(token) {
      worker.postMessage({ token });
    },
    async leave() {
      await worker.terminate();
    },
  };
}

async function make(identity: Identity, calls: Calls): Promise<number[]> {
  let cursor: string | null = null;
  const waited: number[] = [];
  for (let call = 0; call < calls.calls; call += 1) {
    const begun = performance.now();
    cursor =
      "tool" in calls
        ? await callTool(identity, calls.tool, cursor === null ? calls.args : { ...calls.args, cursor })
        : await readPage(identity, cursor === null ? calls.path : `${calls.path}&cursor=${cursor}`);
    waited.push(performance.now() - begun);
  }
  return waited;
}

async function callTool({ url, token }: Identity, name: string, args: object): Promise<string | null> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const text = await response.text();
  const answer = Answer.safeParse(JSON.parse(text));
  if (!answer.success) throw new Error(text);
  return answer.data.result.structuredContent.pagination?.next_cursor ?? null;
}

async function readPage({ url, token }: Identity, path: string): Promise<string | null> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  if (response.status !== 200) throw new Error(await response.text());
  return Page.parse(await response.json()).pagination.next_cursor;
}

const port = parentPort;
let identity: Identity = workerData;
port?.on("message", (told: Calls | Pick<Identity, "token">) => {
  if ("token" in told) {
    identity = { ...identity, ...told };
    return;
  }
  make(identity, told).then(
    (waited) => port.postMessage(waited),
    (error: unknown) => port.postMessage(String(error)),
  );
});
