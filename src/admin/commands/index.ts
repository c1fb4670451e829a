import type { Command } from "../command.ts";
import { apiKeyCommands } from "./api-key.ts";
import { memberCommands } from "./member.ts";
import { workspaceCommands } from "./workspace.ts";

/** Everything an operator can do at the terminal, in the order of the help. */
export const COMMANDS: readonly Command[] = [...workspaceCommands, ...memberCommands, ...apiKeyCommands];

/** What the nouns are, for the help. */
export const NOUNS: Readonly<Record<string, string>> = {
  workspace: "workspaces (tenants)",
  member: "the people of a workspace",
  "api-key": "keys for systems that use the REST API",
};
