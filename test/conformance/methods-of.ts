import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Method, RpcCall } from "../../src/mcp/feature.ts";
import { RpcError } from "../../src/mcp/protocol-error.ts";
import { negotiate } from "../../src/mcp/protocol-version.ts";
import type { Caller } from "../mcp/support.ts";

const NAMES = [
  ...["initialize", "ping", "logging/setLevel", "completion/complete", "tools/list", "tools/call"],
  ...["prompts/list", "prompts/get", "resources/list", "resources/templates/list", "resources/read"],
  ...["resources/subscribe", "resources/unsubscribe"],
];

/** The methods of an SDK server, as our own dispatch calls them; what it notifies of comes before its answer. */
export async function methodsOf(server: McpServer): Promise<ReadonlyMap<string, Method<Caller>>> {
  const asked: (PromiseWithResolvers<Record<string, unknown>> & { call: RpcCall })[] = [];
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    async send(message, options) {
      if ("method" in message)
        asked[Number(options?.relatedRequestId)]?.call.notify(message.method, message.params ?? {});
      else if ("error" in message)
        asked[Number(message.id)]?.reject(new RpcError(message.error.code, message.error.message));
      else asked[Number(message.id)]?.resolve(message.result);
    },
  };
  await server.connect(transport);
  const method =
    (name: string): Method<Caller> =>
    (_, given, call) => {
      const params = name === "initialize" ? { ...given, protocolVersion: negotiate(given.protocolVersion) } : given;
      const answer = { ...Promise.withResolvers<Record<string, unknown>>(), call };
      transport.onmessage?.({ jsonrpc: "2.0", id: asked.push(answer) - 1, method: name, params });
      return answer.promise;
    };
  return new Map(NAMES.map((name) => [name, method(name)]));
}
