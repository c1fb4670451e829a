import type { GetPromptResult, ListPromptsResult } from "@modelcontextprotocol/sdk/types.js";
import { mayCall, type Tool } from "../../tools/tool.ts";
import type { Actor } from "../core/gate/actor.ts";
import { type Feature, objectParam, refuseCursor, textParam } from "./feature.ts";
import type { McpCaller } from "./post.ts";
import type { Prompt } from "./prompts/prompt.ts";
import { RPC, RpcError } from "./protocol-error.ts";

/** Whether the actor may call every tool that a prompt names; otherwise the prompt does not exist for it. */
function mayUse(actor: Actor, prompt: Prompt, tools: readonly Tool[]) {
  return prompt.tools.every((name) => tools.some((tool) => tool.name === name && mayCall(actor, tool)));
}

/** The prompt of that name, where the actor is offered it. Throws RpcError (-32602). */
export function promptNamed(name: string, actor: Actor, { prompts, tools }: Offered) {
  const prompt = prompts.find((one) => one.name === name);
  if (prompt !== undefined && mayUse(actor, prompt, tools)) return prompt;
  throw new RpcError(RPC.invalidParams, "Unknown prompt: prompts/list names those there are.");
}

export interface Offered {
  readonly prompts: readonly Prompt[];
  readonly tools: readonly Tool[];
}

/** `prompts/list` and `prompts/get`. */
export function promptFeature<Caller extends McpCaller<Actor>>(offered: Offered): Feature<Caller> {
  return {
    capabilities: { prompts: {} },
    methods: {
      "prompts/list"({ actor }, params): ListPromptsResult {
        refuseCursor(params);
        return { prompts: offered.prompts.filter((prompt) => mayUse(actor, prompt, offered.tools)).map(listed) };
      },
      "prompts/get"({ actor }, params): GetPromptResult {
        const prompt = promptNamed(textParam(params, "name"), actor, offered);
        const text = prompt.text(objectParam(params, "arguments", { optional: true }));
        return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] };
      },
    },
  };
}

function listed({ name, title, description, arguments: known }: Prompt): ListPromptsResult["prompts"][number] {
  const shown = known.map((argument) => {
    return { name: argument.name, description: argument.description, required: argument.required };
  });
  return { name, title, description, arguments: shown };
}
