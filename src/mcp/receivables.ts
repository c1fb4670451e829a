import type { Tool } from "../../tools/tool.ts";
import type { Actor } from "../core/gate/actor.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { completionFeature } from "./completion-feature.ts";
import type { Feature } from "./feature.ts";
import type { McpCaller } from "./post.ts";
import { promptFeature } from "./prompt-feature.ts";
import { prompts } from "./prompts/index.ts";
import { resourceFeature } from "./resource-feature.ts";
import { staticResources, resourceTemplates as templates } from "./resources/index.ts";
import type { Views } from "./views/documents.ts";

interface Parts {
  core: Core;
  /** All tools; a prompt is offered to callers who may call the tools it names. */
  tools: readonly Tool[];
  /** The OpenAPI description, for writing programs. */
  openApi: () => string;
  views: Views;
}

/** What this service offers assistants besides its tools: prompts, resources, and completion for both. */
export function receivablesFeatures<Caller extends McpCaller<Actor>>(parts: Parts): Feature<Caller>[] {
  const { core, tools, openApi, views } = parts;
  return [
    promptFeature({ prompts, tools }),
    resourceFeature({ core, resources: staticResources(openApi), templates, views }),
    completionFeature({ core, prompts, tools, templates }),
  ];
}
