import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import type { RunningService } from "./service.ts";

/** One call as it goes over the wire, answered or still being answered. */
export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Whatever came until the answer ended. */
  text: Promise<string>;
}

let lastId = 0;

/** Calls a tool at this very process, under the service's own name. Resolves when the answer begins. */
export async function callOverWire(
  { mcpUrl, via }: Pick<RunningService, "mcpUrl" | "via">,
  token: string,
  tool: { name: string; arguments?: object; progress?: boolean },
): Promise<WireAnswer> {
  lastId += 1;
  const { progress = false, name, arguments: args = {} } = tool;
  const params = { name, arguments: args, ...(progress ? { _meta: { progressToken: `p${lastId}` } } : {}) };
  const sent = request(`${via}/mcp`, {
    method: "POST",
    headers: {
      host: new URL(mcpUrl).host,
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2025-06-18",
    },
  });
  sent.end(JSON.stringify({ jsonrpc: "2.0", id: lastId, method: "tools/call", params }));
  const [response]: IncomingMessage[] = await once(sent, "response");
  if (response === undefined) throw new Error("no answer");
  return { status: response.statusCode ?? 0, headers: response.headers, text: text(response) };
}
