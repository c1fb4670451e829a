import type { CompleteResult } from "@modelcontextprotocol/sdk/types.js";
import type { Actor } from "../core/gate/actor.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { ServiceError } from "../core/kernel/error.ts";
import { type Feature, objectParam, operationsFor, textParam } from "./feature.ts";
import type { McpCaller } from "./post.ts";
import { type Offered, promptNamed } from "./prompt-feature.ts";
import { RPC, RpcError } from "./protocol-error.ts";
import { mayRead, type ResourceTemplate } from "./resources/index.ts";
import type { Suggestions } from "./suggestions.ts";

interface Completed extends Offered {
  readonly core: Core;
  readonly templates: readonly ResourceTemplate[];
}

/** Errors that mean no value matches what was typed. */
const NOT_SUGGESTED: ReadonlySet<string> = new Set(["validation_failed", "not_found"]);

/** Maximum of values in one response, by the protocol. */
const MAX_VALUES = 100;

/** `completion/complete` for the arguments of prompts and the variables of resource templates. */
export function completionFeature<Caller extends McpCaller<Actor>>(completed: Completed): Feature<Caller> {
  return {
    capabilities: { completions: {} },
    methods: {
      async "completion/complete"(caller, params, call): Promise<CompleteResult> {
        const argument = objectParam(params, "argument");
        const complete = completerOf(objectParam(params, "ref"), textParam(argument, "name"), caller.actor, completed);
        const typed = textParam(argument, "value");
        const found = await complete(typed, operationsFor(completed.core, caller, call)).catch(nothingLikeThat);
        const values = found.values.slice(0, MAX_VALUES);
        return { completion: { values, hasMore: found.hasMore === true || values.length < found.values.length } };
      },
    },
  };
}

/** Throws RpcError (-32602) for a prompt or template that is not offered to the actor. */
function completerOf(
  ref: Readonly<Record<string, unknown>>,
  argument: string,
  actor: Actor,
  { templates, ...offered }: Completed,
) {
  const complete =
    ref.type === "ref/prompt"
      ? promptNamed(textParam(ref, "name"), actor, offered).arguments.find(({ name }) => name === argument)?.complete
      : ref.type === "ref/resource" && mayRead(actor)
        ? variablesIn(templates, textParam(ref, "uri")).get(argument)
        : undefined;
  if (complete !== undefined) return complete;
  throw new RpcError(RPC.invalidParams, "Invalid params: there is no such argument to complete.");
}

const variablesIn = (templates: readonly ResourceTemplate[], uri: string) =>
  new Map(Object.entries(templates.find(({ uriTemplate }) => uriTemplate === uri)?.variables ?? {}));

/** No suggestions for input that cannot be valid or names nothing. */
function nothingLikeThat(error: unknown): Suggestions {
  if (error instanceof ServiceError && NOT_SUGGESTED.has(error.code)) return { values: [] };
  throw error;
}
