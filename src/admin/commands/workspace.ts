import { z } from "zod";
import { setSignInRules } from "../../../auth/sign-in-rules/operations.ts";
import { SignInProviderInput, showSignIn } from "../../../auth/upstream-sign-in/providers.ts";
import { removeSignIn } from "../../../auth/upstream-sign-in/remove-sign-in.ts";
import { setSignIn } from "../../../auth/upstream-sign-in/set-sign-in.ts";
import { ASSISTANT_MODES } from "../../core/gate/actor.ts";
import { operate } from "../../core/gate/operator.ts";
import { createWorkspace } from "../../core/workspace/operations/create-workspace.ts";
import { setWorkspace } from "../../core/workspace/operations/set-workspace.ts";
import { listWorkspaces, WorkspaceInput } from "../../core/workspace/workspaces.ts";
import { type Command, command, option, secret, workspaceCommand } from "../command.ts";
import { OnOff, SecretLine } from "../inputs.ts";

const Name = option(WorkspaceInput.name, "NAME", "what people see");
const Timezone = option(
  WorkspaceInput.timezone,
  "ZONE",
  "IANA name, such as Europe/Zurich; its calendar says what is overdue",
);
const ApiAccess = option(OnOff.optional(), "on|off", "whether the workspace's tier has API access");
const AssistantAccess = option(OnOff.optional(), "on|off", "whether the workspace's tier has assistant access");
const Assistants = option(
  z.enum(ASSISTANT_MODES, "must be read or write").optional(),
  "read|write",
  "whether assistants may only read, regardless of their scopes, or also write",
);

export const workspaceCommands: readonly Command[] = [
  command("workspace create", {
    startsStore: true,
    summary: "make a workspace (both kinds of access are on unless said otherwise)",
    input: z.strictObject({
      name: Name,
      timezone: Timezone,
      api_access: ApiAccess,
      assistant_access: AssistantAccess,
      assistants: Assistants,
    }),
    run: ({ core, operator }, { api_access = true, assistant_access = true, assistants = "write", ...settings }) => {
      const input = { ...settings, api_access, assistant_access, assistants };
      return operate(core, core.newId(), createWorkspace, input, { name: operator });
    },
  }),
  workspaceCommand("workspace set", {
    summary: "change a workspace's name, timezone, access, or how far assistants may go",
    input: z.strictObject({
      name: option(Name.optional(), "NAME", "its new name"),
      timezone: option(Timezone.optional(), "ZONE", "IANA name"),
      api_access: ApiAccess,
      assistant_access: AssistantAccess,
      assistants: Assistants,
    }),
    run: ({ operate }, change) => operate(setWorkspace, change),
  }),
  command("workspace list", {
    summary: "every workspace",
    run: ({ core }) => listWorkspaces(core),
  }),
  workspaceCommand("workspace set-sign-in", {
    summary: "let members sign in at the workspace's own OpenID provider",
    input: z.strictObject({
      issuer: option(SignInProviderInput.issuer, "URL", "its issuer, to the letter"),
      clientId: option(SignInProviderInput.clientId, "ID", "what it calls us"),
      clientSecret: secret(
        SecretLine.pipe(SignInProviderInput.clientSecret),
        "read the secret it gave us from standard input",
        ["client_secret"],
      ),
      domain: option(
        z.array(SignInProviderInput.domain).default([]),
        "DOMAIN",
        "people with emails of this domain are sent there",
        { repeatable: true },
      ),
      trustEmail: option(
        OnOff.optional(),
        "on|off",
        "take its emails for verified though it does not say so (a single-tenant Entra)",
      ),
    }),
    async run({ tenantId, operate }, { domain: domains, trustEmail = false, ...settings }) {
      return { workspace_id: tenantId, ...(await operate(setSignIn, { ...settings, domains, trustEmail })) };
    },
    note: "Register {base_url}/organisation/{workspace_id}/callback there; people begin at {base_url}/organisation?workspace={workspace_id}.",
  }),
  workspaceCommand("workspace remove-sign-in", {
    summary: "take the OpenID provider away; who is signed in through it is signed out",
    run: ({ operate }) => operate(removeSignIn, {}),
  }),
  workspaceCommand("workspace set-sign-in-rules", {
    summary: "require single sign-on, or a second factor with passwords, of every member",
    input: z.strictObject({
      providerOnly: option(OnOff.optional(), "on|off", "whether passwords count for nothing here"),
      secondFactor: option(OnOff.optional(), "on|off", "whether passwords count with a second factor only"),
    }),
    run: ({ operate }, rules) => operate(setSignInRules, rules),
  }),
  workspaceCommand("workspace show-sign-in", {
    summary: "the workspace's OpenID provider, without its secret",
    async run({ tenantId, operate }) {
      return { workspace_id: tenantId, ...(await operate(showSignIn, {})) };
    },
  }),
];
