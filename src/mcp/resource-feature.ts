import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from "@modelcontextprotocol/sdk/types.js";
import type { Actor } from "../core/gate/actor.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { ServiceError } from "../core/kernel/error.ts";
import { inertJson } from "../core/kernel/inert-json.ts";
import { type Feature, operationsFor, refuseCursor, textParam } from "./feature.ts";
import type { McpCaller } from "./post.ts";
import { RPC, RpcError } from "./protocol-error.ts";
import { mayRead, type ResourceTemplate, type StaticResource, variablesOf } from "./resources/index.ts";
import { type ViewDocument, type Views, viewNamed } from "./views/documents.ts";
import { VIEW_MIME_TYPE } from "./views/session.ts";

interface Offered {
  readonly core: Core;
  readonly resources: readonly StaticResource[];
  readonly templates: readonly ResourceTemplate[];
  /** Offered to clients that show them. */
  readonly views: Views;
}

/** `resources/list`, `resources/templates/list` and `resources/read`. */
export function resourceFeature<Caller extends McpCaller<Actor>>({
  core,
  resources,
  templates,
  views,
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
      async "resources/list"(_, params, { showsViews }) {
        refuseCursor(params);
        list ??= { resources: resources.map(({ read, ...face }) => ({ ...face, size: Buffer.byteLength(read()) })) };
        if (!showsViews) return list;
        return { resources: [...list.resources, ...[...(await views()).values()].map(listedView)] };
      },
      "resources/templates/list"({ actor }, params) {
        refuseCursor(params);
        return mayRead(actor) ? templateList : { resourceTemplates: [] };
      },
      async "resources/read"(caller, params, call): Promise<ReadResourceResult> {
        const uri = textParam(params, "uri");
        const known = resources.find((resource) => resource.uri === uri);
        if (known !== undefined) return { contents: [{ uri, mimeType: known.mimeType, text: known.read() }] };
        const view = call.showsViews ? viewNamed(uri) : undefined;
        const document = view && (await views()).get(view);
        if (document !== undefined) return viewContents(uri, document);
        for (const template of templates) {
          const variables = variablesOf(template.uriTemplate, uri);
          if (variables === null || !mayRead(caller.actor)) continue;
          const answer = await template
            .read(variables, operationsFor(core, caller, call))
            .catch(missing(uri, template));
          const fields = { request_id: call.requestId, connection_id: caller.key, resource: template.name };
          core.log.info(fields, "mcp.resource_read");
          return { contents: [{ uri, mimeType: template.mimeType, text: inertJson(JSON.stringify(answer)) }] };
        }
        throw notThere(uri, mayRead(caller.actor) ? offered : fixed);
      },
    },
  };
}

/** What a view needs of its host: no address at all, and that a link can be copied. */
const VIEW_META = { ui: { csp: {}, permissions: { clipboardWrite: {} }, prefersBorder: true } };

function listedView({ uri, name, title, description, html }: ViewDocument): ListResourcesResult["resources"][number] {
  const size = Buffer.byteLength(html);
  return { uri, name: `${name}_view`, title, description, mimeType: VIEW_MIME_TYPE, _meta: VIEW_META, size };
}

function viewContents(uri: string, { html }: ViewDocument): ReadResourceResult {
  return { contents: [{ uri, mimeType: VIEW_MIME_TYPE, text: html, _meta: VIEW_META }] };
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
function notThere(uri: string, steering: string) {
  return new RpcError(RPC.resourceNotFound, `Resource not found. ${steering}`, { uri: uri.slice(0, 400) });
}
