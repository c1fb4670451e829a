import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from "@modelcontextprotocol/sdk/types.js";
import type { Actor } from "../core/gate/actor.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { ServiceError } from "../core/gate/error.ts";
import { type Feature, operationsFor, refuseCursor, textParam } from "./feature.ts";
import type { McpCaller } from "./post.ts";
import { RPC, RpcError } from "./protocol-error.ts";
import { mayRead, type ResourceTemplate, type StaticResource, variablesOf } from "./resources/index.ts";

interface Offered {
  readonly core: Core;
  readonly resources: readonly StaticResource[];
  readonly templates: readonly ResourceTemplate[];
}

/** `resources/list`, `resources/templates/list` and `resources/read`. */
export function resourceFeature<Caller extends McpCaller<Actor>>({
  core,
  resources,
  templates,
}: Offered): Feature<Caller> {
  let list: ListResourcesResult | undefined;
  const templateList: ListResourceTemplatesResult = {
    resourceTemplates: templates.map(({ uriTemplate, name, title, description, mimeType }) => {
      return { uriTemplate, name, title, description, mimeType };
    }),
  };
  const fixed = `There is ${resources.map(({ uri }) => uri).join(", ")}.`;
  const offered = `There is ${[...resources.map(({ uri }) => uri), ...templates.map(({ uriTemplate }) => uriTemplate)].join(", ")}.`;
  return {
    capabilities: { resources: {} },
    methods: {
      "resources/list"(_, params) {
        refuseCursor(params);
        list ??= { resources: resources.map(({ read, ...face }) => ({ ...face, size: Buffer.byteLength(read()) })) };
        return list;
      },
      "resources/templates/list"({ actor }, params) {
        refuseCursor(params);
        return mayRead(actor) ? templateList : { resourceTemplates: [] };
      },
      async "resources/read"(caller, params, call): Promise<ReadResourceResult> {
        const uri = textParam(params, "uri");
        const known = resources.find((resource) => resource.uri === uri);
        if (known !== undefined) return { contents: [{ uri, mimeType: known.mimeType, text: known.read() }] };
        for (const template of templates) {
          const variables = variablesOf(template.uriTemplate, uri);
          if (variables === null || !mayRead(caller.actor)) continue;
          const answer = await template
            .read(variables, operationsFor(core, caller, call))
            .catch(missing(uri, template));
          const fields = { request_id: call.requestId, connection_id: caller.key, resource: template.name };
          core.log.info(fields, "mcp.resource_read");
          return { contents: [{ uri, mimeType: template.mimeType, text: JSON.stringify(answer) }] };
        }
        throw notThere(uri, mayRead(caller.actor) ? offered : fixed);
      },
    },
  };
}

/** A malformed id counts as not found, like one that is missing or of another workspace. */
function missing(uri: string, { uriTemplate }: ResourceTemplate): (error: unknown) => never {
  return (error) => {
    const isMissing =
      error instanceof ServiceError && (error.code === "not_found" || error.code === "validation_failed");
    throw isMissing
      ? notThere(uri, `The workspace has nothing of this id at ${uriTemplate}; the tools list ids.`)
      : error;
  };
}

/** The error that names the known URIs, or the problem with a known one. */
function notThere(uri: string, steering: string): RpcError {
  return new RpcError(RPC.resourceNotFound, `Resource not found. ${steering}`, { uri: uri.slice(0, 400) });
}
