import { z } from "zod";
import { SignInProviderInput, showSignIn } from "../../../auth/upstream-sign-in/providers.ts";
import { removeSignIn } from "../../../auth/upstream-sign-in/remove-sign-in.ts";
import { setSignIn } from "../../../auth/upstream-sign-in/set-sign-in.ts";
import { operate } from "../../core/gate/operator.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { type Command, command, flags } from "../command.ts";
import { OnOff, SecretLine, WorkspaceOption } from "../inputs.ts";

export const signInCommands: readonly Command[] = [
  command({
    noun: "workspace",
    verb: "set-sign-in",
    summary: "let members sign in at the workspace's own OpenID provider",
    input: z.strictObject({
      workspace: WorkspaceOption,
      issuer: SignInProviderInput.issuer.register(flags, { value: "URL", description: "its issuer, to the letter" }),
      client_id: SignInProviderInput.clientId.register(flags, { value: "ID", description: "what it calls us" }),
      client_secret: SecretLine.pipe(SignInProviderInput.clientSecret).register(flags, {
        value: null,
        stdin: true,
        description: "read the secret it gave us from standard input",
      }),
      domain: z.array(SignInProviderInput.domain).default([]).register(flags, {
        value: "DOMAIN",
        description: "people with emails of this domain are sent there",
        repeatable: true,
      }),
      trust_email: OnOff.optional().register(flags, {
        value: "on|off",
        description: "take its emails for verified though it does not say so (a single-tenant Entra)",
      }),
    }),
    async run({ core }, { workspace, client_id: clientId, client_secret: clientSecret, ...settings }) {
      const { id } = await findWorkspace(core, workspace);
      const { issuer, domain: domains, trust_email: trustEmail = false } = settings;
      const provider = await operate(core, id, setSignIn, { issuer, clientId, clientSecret, domains, trustEmail });
      return { workspace_id: id, ...provider };
    },
    note: "Register {base_url}/organisation/{workspace_id}/callback there; people begin at {base_url}/organisation?workspace={workspace_id}.",
  }),
  command({
    noun: "workspace",
    verb: "remove-sign-in",
    summary: "take the OpenID provider away; who is signed in through it is signed out",
    input: z.strictObject({ workspace: WorkspaceOption }),
    async run({ core }, { workspace }) {
      return operate(core, (await findWorkspace(core, workspace)).id, removeSignIn, {});
    },
  }),
  command({
    noun: "workspace",
    verb: "show-sign-in",
    summary: "the workspace's OpenID provider, without its secret",
    input: z.strictObject({ workspace: WorkspaceOption }),
    async run({ core }, { workspace }) {
      const { id } = await findWorkspace(core, workspace);
      return { workspace_id: id, ...(await showSignIn(core, id)) };
    },
  }),
];
