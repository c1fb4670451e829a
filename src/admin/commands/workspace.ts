import { setSignInRules } from "../../../auth/sign-in-rules/operations.ts";
import { showSignIn } from "../../../auth/upstream-sign-in/providers.ts";
import { removeSignIn } from "../../../auth/upstream-sign-in/remove-sign-in.ts";
import { setSignIn } from "../../../auth/upstream-sign-in/set-sign-in.ts";
import { createWorkspace } from "../../core/workspace/operations/create-workspace.ts";
import { setWorkspace } from "../../core/workspace/operations/set-workspace.ts";
import { listWorkspaces } from "../../core/workspace/workspaces.ts";
import { type Command, command, task } from "../command.ts";

export const workspaceCommands: readonly Command[] = [
  command("workspace create", createWorkspace, { isNew: true, startsStore: true, options: { timezone: "ZONE" } }),
  command("workspace set", setWorkspace, { options: { name: ["NAME", "its new name"], timezone: "ZONE" } }),
  task("workspace list", { summary: "every workspace", run: ({ core }) => listWorkspaces(core) }),
  command("workspace set-sign-in", setSignIn, {
    options: {
      issuer: "URL",
      clientSecret: [
        "--client-secret-stdin",
        "read the secret it gave us from standard input",
        undefined,
        ["client_secret"],
      ],
      domains: "--domain DOMAIN",
    },
    run: async ({ tenantId, operate }, given) => ({ workspace_id: tenantId, ...(await operate(setSignIn, given)) }),
    note: "Register {base_url}/organisation/{workspace_id}/callback there; people begin at {base_url}/organisation?workspace={workspace_id}.",
  }),
  command("workspace remove-sign-in", removeSignIn),
  command("workspace set-sign-in-rules", setSignInRules),
  command("workspace show-sign-in", showSignIn, {
    run: async ({ tenantId, operate }) => ({ workspace_id: tenantId, ...(await operate(showSignIn, {})) }),
  }),
];
