import { z } from "zod";
import { IssuerUrl } from "../../src/config.ts";
import { type Core, nowOf } from "../../src/core/core.ts";
import { notFound, ServiceError } from "../../src/core/error.ts";
import { recordOperatorAct } from "../../src/core/operator.ts";
import type { Transaction } from "../../src/store/store.ts";
import { deleteVouchedSessions } from "../identity-queries.ts";
import {
  deleteProvider,
  hasProviders,
  replaceProvider,
  selectDomains,
  selectProvider,
  selectTakenDomain,
  selectTenantByDomain,
} from "./provider-queries.ts";

/** A workspace's OpenID provider as operators see it; its secret is shown to nobody. */
export interface SignInProvider {
  issuer: string;
  client_id: string;
  /** Emails of these domains lead to it. */
  domains: string[];
  trust_email: boolean;
  created_at: string;
}

/** How the settings of a provider are read from outside. */
export const SignInProviderInput = {
  issuer: IssuerUrl,
  clientId: z.string().min(1).max(500),
  clientSecret: z.string().min(1).max(4_000),
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/, "must be a domain such as acme.example")
    .max(253),
};

interface ProviderToSet {
  issuer: string;
  clientId: string;
  clientSecret: string;
  domains: readonly string[];
  trustEmail: boolean;
}

/** What a sign-in is done with. */
export interface UpstreamProvider {
  tenantId: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  trustEmail: boolean;
}

/**
 * Lets a workspace's members sign in at its own provider, which replaces the one it had; who is signed in through that
 * one has to again. Throws `conflict` for a domain that leads to another workspace.
 */
export function setSignIn(core: Core, tenantId: string, provider: ProviderToSet): Promise<SignInProvider> {
  const { issuer, clientId: client_id, clientSecret, trustEmail: trust_email } = provider;
  const domains = [...new Set(provider.domains)].sort();
  const created_at = nowOf(core);
  return core.store.system(async (tx) => {
    const taken = await selectTakenDomain(tx, { tenantId, domains });
    if (taken !== null) throw new ServiceError("conflict", `${taken} leads to another workspace.`);
    const client_secret = core.secrets.encrypt(clientSecret, placeOf(tenantId));
    const row = { tenant_id: tenantId, issuer, client_id, client_secret, trust_email, created_at };
    await replaceProvider(tx, row, domains);
    await deleteVouchedSessions(tx, { tenantId, personId: null });
    await record(core, tx, tenantId, "setSignIn");
    return { issuer, client_id, domains, trust_email, created_at };
  });
}

/** Takes the provider away, and signs out whoever came through it. Throws `not_found`. */
export function removeSignIn(core: Core, tenantId: string): Promise<SignInProvider> {
  return core.store.system(async (tx) => {
    const provider = await read(tx, tenantId);
    await deleteProvider(tx, tenantId);
    await deleteVouchedSessions(tx, { tenantId, personId: null });
    await record(core, tx, tenantId, "removeSignIn");
    return provider;
  });
}

/** The workspace's provider. Throws `not_found`. */
export function showSignIn(core: Pick<Core, "store">, tenantId: string): Promise<SignInProvider> {
  return core.store.system((tx) => read(tx, tenantId));
}

/** Whether any workspace has one: only then there is a way to them. */
export function anySignIn(core: Pick<Core, "store">): Promise<boolean> {
  return core.store.system(hasProviders);
}

/** The provider of a workspace, or of whose domain an email has; null for none. Tells nothing about the email's person. */
export function findSignIn(
  core: Pick<Core, "store" | "secrets">,
  where: { tenantId: string } | { email: string },
): Promise<UpstreamProvider | null> {
  return core.store.system(async (tx) => {
    const tenantId = "tenantId" in where ? where.tenantId : await selectTenantByDomain(tx, domainOf(where.email));
    const row = tenantId === null ? undefined : await selectProvider(tx, tenantId);
    if (row === undefined) return null;
    return {
      tenantId: row.tenant_id,
      issuer: row.issuer,
      clientId: row.client_id,
      clientSecret: core.secrets.decrypt(row.client_secret, placeOf(row.tenant_id)),
      trustEmail: row.trust_email,
    };
  });
}

async function read(tx: Transaction, tenantId: string): Promise<SignInProvider> {
  const row = await selectProvider(tx, tenantId);
  if (row === undefined) throw notFound("sign-in provider");
  const { issuer, client_id, trust_email, created_at } = row;
  return { issuer, client_id, domains: await selectDomains(tx, tenantId), trust_email, created_at };
}

function domainOf(email: string): string {
  return email
    .slice(email.lastIndexOf("@") + 1)
    .trim()
    .toLowerCase();
}

function record(core: Core, tx: Transaction, tenantId: string, operation: string): Promise<void> {
  return recordOperatorAct(tx, core, { tenantId, operation, objectType: "workspace", objectId: tenantId });
}

function placeOf(tenantId: string): string {
  return `sign_in_providers/${tenantId}`;
}
