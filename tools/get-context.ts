import type { Actor } from "../src/core/gate/actor.ts";
import { getContext } from "../src/core/workspace/get-context.ts";
import { type Tool, tool } from "./tool.ts";

/** `callableTools` returns the names of the tools an actor may call now, including this one. */
export default (callableTools: (actor: Actor) => string[]): Tool =>
  tool({
    name: "get_context",
    title: "Get context",
    description:
      "Whom and where you act for. " +
      "A connection sees one workspace: for another, the person connects this server once more and chooses it.",
    operation: getContext(callableTools),
    picked: true,
  });
