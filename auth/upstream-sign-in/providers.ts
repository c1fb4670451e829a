import { z } from "zod";
import { type Core, OPERATORS_READ, operation } from "../../src/core/gate/operation.ts";
import { orNotFound } from "../../src/core/kernel/error.ts";
import { Uuid } from "../../src/core/kernel/wire-types.ts";
import { IssuerUrl } from "../../src/settings.ts";
import type { Transaction } from "../../src/store/store.ts";
import { hasProviders, selectDomains, selectProvider, selectTenantByDomain } from "./provider-queries.ts";

/** A workspace's OpenID provider as operators see it, without its secret; emails of its domains lead there. */
export const SignInProviderSchema = z.strictObject({
  workspace_id: Uuid,
  issuer: z.string(),
  client_id: z.string(),
  domains: z.array(z.string()),
  trust_email: z.boolean(),
  created_at: z.string(),
});
export type SignInProvider = z.output<typeof SignInProviderSchema>;

/** How a provider's settings are parsed from input. */
export const SignInProviderInput = {
  issuer: IssuerUrl.describe("its issuer, to the letter"),
  clientId: z.string().min(1).max(500).describe("what it calls us"),
  clientSecret: z.string().min(1).max(4_000),
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/, "must be a domain such as acme.example")
    .max(253),
};

/** The provider and client settings of a sign-in. */
export interface UpstreamProvider {
  tenantId: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  trustEmail: boolean;
}

/** The workspace's provider. Throws `not_found`. */
export const showSignIn = operation({
  id: "showSignIn",
  summary: "The workspace's OpenID provider, without its secret",
  ...OPERATORS_READ,
  input: z.strictObject({}),
  output: SignInProviderSchema,
  run: ({ tx, actor }) => readProvider(tx, actor.tenantId),
});

/** Whether any workspace has a provider, so that the sign-in page offers it. */
export function anySignIn(core: Pick<Core, "store">) {
  return core.store.directory(hasProviders);
}

/** The provider of a workspace, or of an email's domain; null without one. Reveals nothing of the email's person. */
export function findSignIn(
  core: Pick<Core, "store" | "secrets">,
  where: { tenantId: string } | { email: string },
): Promise<UpstreamProvider | null> {
  return core.store.directory(async (tx) => {
    const tenantId = "tenantId" in where ? where.tenantId : await selectTenantByDomain(tx, domainOf(where.email));
    const row = tenantId === null ? undefined : await selectProvider(tx, tenantId);
    if (row === undefined) return null;
    return {
      tenantId: row.tenant_id,
      issuer: row.issuer,
      clientId: row.client_id,
      clientSecret: core.secrets.decrypt(row.client_secret, providerPlace(row.tenant_id)),
      trustEmail: row.trust_email,
    };
  });
}

/** The workspace's provider. Throws `not_found`. */
export async function readProvider(tx: Transaction, tenantId: string): Promise<SignInProvider> {
  const row = orNotFound(await selectProvider(tx, tenantId), "sign-in provider");
  const { issuer, client_id, trust_email, created_at } = row;
  const domains = await selectDomains(tx, tenantId);
  return { workspace_id: tenantId, issuer, client_id, domains, trust_email, created_at };
}

function domainOf(email: string) {
  return email
    .slice(email.lastIndexOf("@") + 1)
    .trim()
    .toLowerCase();
}

/** The row that a provider secret's ciphertext is bound to. */
export function providerPlace(tenantId: string) {
  return `sign_in_providers/${tenantId}`;
}
