import { z } from "zod";
import { setSignInRules } from "../../../auth/sign-in-rules/operations.ts";
import { showSignIn } from "../../../auth/upstream-sign-in/providers.ts";
import { removeSignIn } from "../../../auth/upstream-sign-in/remove-sign-in.ts";
import { setSignIn } from "../../../auth/upstream-sign-in/set-sign-in.ts";
import { ASSISTANT_MODES } from "../../core/gate/actor.ts";
import { createWorkspace } from "../../core/workspace/operations/create-workspace.ts";
import { setWorkspace } from "../../core/workspace/operations/set-workspace.ts";
import { listWorkspaces, WorkspaceInput } from "../../core/workspace/workspaces.ts";
import { type Command, command, operatorIn, task } from "../command.ts";
import { OnOff, own } from "../options.ts";

const API_ACCESS = "whether the workspace's tier has API access";
const ASSISTANT_ACCESS = "whether the workspace's tier has assistant access";
const ASSISTANTS = "whether assistants may only read, regardless of their scopes, or also write";

export const workspaceCommands: readonly Command[] = [
  task("workspace create", {
    startsStore: true,
    summary: "make a workspace (both kinds of access are on unless said otherwise)",
    own: {
      name: own("NAME", "what people see", WorkspaceInput.name),
      timezone: own(
        "ZONE",
        "IANA name, such as Europe/Zurich; its calendar says what is overdue",
        WorkspaceInput.timezone,
      ),
      api_access: own("on|off", API_ACCESS, OnOff.default(true)),
      assistant_access: own("on|off", ASSISTANT_ACCESS, OnOff.default(true)),
      assistants: own("read|write", ASSISTANTS, z.enum(ASSISTANT_MODES, "must be read or write").default("write")),
    },
    run: (context, settings) => operatorIn(context, context.core.newId())(createWorkspace, settings),
  }),
  command("workspace set", setWorkspace, {
    summary: "change a workspace's name, timezone, access, or how far assistants may go",
    options: {
      name: "its new name",
      timezone: ["ZONE", "IANA name"],
      api_access: API_ACCESS,
      assistant_access: ASSISTANT_ACCESS,
      assistants: ASSISTANTS,
    },
  }),
  task("workspace list", { summary: "every workspace", run: ({ core }) => listWorkspaces(core) }),
  command("workspace set-sign-in", setSignIn, {
    summary: "let members sign in at the workspace's own OpenID provider",
    options: {
      issuer: ["URL", "its issuer, to the letter"],
      clientId: ["ID", "what it calls us"],
      clientSecret: [
        "--client-secret-stdin",
        "read the secret it gave us from standard input",
        undefined,
        ["client_secret"],
      ],
      domains: ["--domain DOMAIN", "people with emails of this domain are sent there", z.array(z.string()).default([])],
      trustEmail: [
        "on|off",
        "take its emails for verified though it does not say so (a single-tenant Entra)",
        OnOff.default(false),
      ],
    },
    run: async ({ tenantId, operate }, given) => ({ workspace_id: tenantId, ...(await operate(setSignIn, given)) }),
    note: "Register {base_url}/organisation/{workspace_id}/callback there; people begin at {base_url}/organisation?workspace={workspace_id}.",
  }),
  command("workspace remove-sign-in", removeSignIn, {
    summary: "take the OpenID provider away; who is signed in through it is signed out",
  }),
  command("workspace set-sign-in-rules", setSignInRules, {
    summary: "require single sign-on, or a second factor with passwords, of every member",
    options: {
      providerOnly: "whether passwords count for nothing here",
      secondFactor: "whether passwords count with a second factor only",
    },
  }),
  command("workspace show-sign-in", showSignIn, {
    summary: "the workspace's OpenID provider, without its secret",
    run: async ({ tenantId, operate }) => ({ workspace_id: tenantId, ...(await operate(showSignIn, {})) }),
  }),
];
