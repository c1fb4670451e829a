import { mayCall, type Tool } from "../../tools/tool.ts";
import type { Actor } from "../core/gate/actor.ts";
import { elsewhereIn, type Steering } from "../core/gate/steering.ts";

/** Names the right tool to an assistant that called the wrong one, among the tools it may call. */
export function toolSteering(tools: readonly Tool[], { name, input }: Tool, actor: Actor): Steering {
  return {
    also: Object.keys(input.properties),
    elsewhere(field, near) {
      const others = tools.filter((tool) => tool.name !== name && mayCall(actor, tool));
      return elsewhereIn(others.map((tool) => ({ name: tool.name, fields: Object.keys(tool.input.properties) })))(
        field,
        near,
      );
    },
  };
}
