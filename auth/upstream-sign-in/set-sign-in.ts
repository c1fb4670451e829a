import { z } from "zod";
import { operation } from "../../src/core/gate/operation.ts";
import { ServiceError } from "../../src/core/kernel/error.ts";
import { deleteVouchedSessions } from "../session-queries.ts";
import { replaceProvider, selectTakenDomain } from "./provider-queries.ts";
import { providerPlace, SignInProviderInput, SignInProviderSchema } from "./providers.ts";

/** Sets or replaces the workspace's own sign-in provider. Throws `conflict` for a domain of another workspace. */
export const setSignIn = operation({
  id: "setSignIn",
  summary: "Let members sign in at the workspace's own OpenID provider",
  errors: ["conflict"],
  callers: ["operator"],
  permission: "admin",
  scope: null,
  sideEffects: "People who signed in through the provider before have to sign in again.",
  input: z.strictObject({
    issuer: SignInProviderInput.issuer,
    clientId: SignInProviderInput.clientId,
    clientSecret: SignInProviderInput.clientSecret,
    domains: z
      .array(SignInProviderInput.domain)
      .default([])
      .describe("people with emails of this domain are sent there"),
    trustEmail: z
      .boolean()
      .default(false)
      .describe("take its emails for verified though it does not say so (a single-tenant Entra)"),
  }),
  output: SignInProviderSchema,
  allTenants: true,
  async run({ tx, actor, core, now, audit }, { issuer, clientId, clientSecret, trustEmail, ...given }) {
    const { tenantId } = actor;
    const domains = [...new Set(given.domains)].sort();
    const taken = await selectTakenDomain(tx, { tenantId, domains });
    if (taken !== null) throw new ServiceError("conflict", `${taken} leads to another workspace.`);
    const shown = { issuer, client_id: clientId, trust_email: trustEmail, created_at: now };
    const secret = core.secrets.encrypt(clientSecret, providerPlace(tenantId));
    await replaceProvider(tx, { tenant_id: tenantId, client_secret: secret, ...shown }, domains);
    await deleteVouchedSessions(tx, { tenantId, personId: null });
    audit({ type: "workspace", id: tenantId });
    return { workspace_id: tenantId, ...shown, domains };
  },
});
