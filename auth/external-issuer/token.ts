import { z } from "zod";
import type { ExternalIssuerConfig } from "../../src/config.ts";
import { parseScopes, type Scope } from "../../src/core/gate/actor.ts";

/** The checked claims of an external issuer's token. Permissions are not among them. */
export interface ExternalToken {
  subject: string;
  clientId: string;
  /** Distinguishes the sessions of a person and client; null where they share one connection. */
  session: string | null;
  scopes: Scope[];
  /** The workspace it is for; null if tokens do not name one. */
  tenantId: string | null;
  /** The person's email, lower case, where the issuer has verified it. */
  email: string | null;
}

/** Identifiers are compared and stored, so characters that a store would change or reject are not accepted. */
const Name = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text));
const Subject = Name(255);
const Client = Name(2_048);
const Session = Name(255);
const Scopes = z.union([z.string(), z.array(z.string()).transform((names) => names.join(" "))]);

/** Null if a required claim is missing or invalid. */
export function externalToken(
  claims: Readonly<Record<string, unknown>>,
  config: ExternalIssuerConfig,
  { clientIdClaim = "client_id", scopeClaims = ["scope"] }: { clientIdClaim?: string; scopeClaims?: string[] } = {},
): ExternalToken | null {
  // A token bound to a key of its holder (DPoP, mutual TLS) is no bearer token.
  if ("cnf" in claims) return null;
  const subject = Subject.safeParse(claims.sub).data;
  const clientId = Client.safeParse(claims[clientIdClaim]).data;
  const session = config.sessionClaim === null ? null : Session.safeParse(claims[config.sessionClaim]).data;
  const tenantId = config.tenantClaim === null ? null : z.guid().safeParse(claims[config.tenantClaim]).data;
  if (subject === undefined || clientId === undefined || session === undefined || tenantId === undefined) return null;
  const scopes = scopeClaims.map((name) => Scopes.safeParse(claims[name]).data ?? "").join(" ");
  return {
    subject,
    clientId,
    session,
    scopes: parseScopes(scopes),
    tenantId: tenantId?.toLowerCase() ?? null,
    email: claims.email_verified === true ? emailOf(claims.email) : null,
  };
}

/** An email as members' are stored, lower case; null for one that normalization could turn into another person's. */
export function emailOf(claim: unknown) {
  const text = z
    .string()
    .max(254)
    .regex(/^[\x21-\x7e]+$/)
    .safeParse(claim).data;
  return z.email().safeParse(text?.toLowerCase()).data ?? null;
}
