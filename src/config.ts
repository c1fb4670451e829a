import { resolve } from "node:path";
import type { z } from "zod";
import { Environment, isLoopbackUrl, type KeepDays } from "./settings.ts";

/** A setting that is not valid; its message is the one line that the service prints before it exits. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Where metrics and traces go. */
export interface TelemetryConfig {
  /** The port on which Prometheus reads metrics; null for none. */
  metricsPort: number | null;
  /** The listening address, the same as for requests. */
  host: string;
  /** An OpenTelemetry collector (OTLP over HTTP) that metrics and traces are sent to; null for none. */
  collector: string | null;
  /** What the operator says of this process, by OpenTelemetry's names, such as `service.name`. */
  resource: Readonly<Record<string, string>>;
  /** The share of requests that are traced, 0 to 1. */
  tracesRatio: number;
  /** Names of the baggage entries that a span keeps as attributes. */
  tracedBaggage: readonly string[];
}

/** An external authorization server, whose tokens are accepted instead of our own. */
export interface ExternalIssuerConfig {
  /** Exactly as given: issuers are compared as text. */
  issuer: string;
  /** The audience of tokens for this service; `{mcp_url}` by default. */
  audience: string;
  /** `rfc9068` is strict; `relaxed` accepts any signed JWT with issuer, audience, expiry, subject and client. */
  profile: "rfc9068" | "relaxed";
  /** `relaxed`: the claim that names the client. */
  clientIdClaim: string;
  /** The claim that separates sessions of one person and client into connections; null for one connection. */
  sessionClaim: string | null;
  /** The claim with the workspace's id; null where each person is linked to one workspace only. */
  tenantClaim: string | null;
  /** Whether a verified email of a member links the token's subject to them. */
  linkByEmail: boolean;
  /** Credentials for introspecting opaque tokens; null where they are not accepted. */
  introspection: { clientId: string; clientSecret: string } | null;
}

/** How the installation presents itself to people, registries and directories; null for what is not configured. */
export interface ListingConfig {
  /** Its name in registries, where it is not made of its host's. */
  serverName: string | null;
  privacyUrl: string | null;
  termsUrl: string | null;
  /** A page or a mailto: URI. */
  supportUrl: string | null;
  /** The record by which the MCP registry knows that the host publishes. */
  registryProof: string | null;
  /** What OpenAI's directory asks the host to show. */
  openAiChallenge: string | null;
}

/** Every setting, validated. Only {@link readConfig} reads the environment. */
export interface Config {
  port: number;
  host: string;
  /** `{base_url}`: the origin clients reach the service at, and the issuer of its tokens. */
  publicUrl: string;
  /** One host, or several of which one accepts writes. */
  databaseUrl: string | null;
  /** PostgreSQL itself where `databaseUrl` is a pooler, else null. */
  databaseDirectUrl: string | null;
  /** Maximum of connections for transactions; a quarter more are for lookups. */
  databasePoolSize: number;
  /** Absolute path. */
  dataDir: string;
  demo: boolean;
  /** Null: the service is its own authorization server. */
  externalIssuer: ExternalIssuerConfig | null;
  /** Whether clients known by a metadata document are taken; the built-in authorization server's. */
  clientMetadataDocuments: boolean;
  /** Null: messages are written to the folder `outbox` of `dataDir`. */
  smtpUrl: string | null;
  /** The address the service's mail is sent from; the name beside it is the workspace's. */
  mailFrom: string;
  /** Null: the key in the data folder, made at the first start (embedded store only). */
  encryptionKey: Buffer | null;
  /** Decrypts what was stored with it; never encrypts. */
  previousEncryptionKey: Buffer | null;
  /** Where to report a vulnerability, as a URI; null when not configured. */
  securityContact: string | null;
  listing: ListingConfig;
  /** Number of hops, or addresses, whose X-Forwarded-For is trusted; false for none. */
  trustedProxies: number | string[] | false;
  /** False switches the per-minute limits off; their headers stay. */
  rateLimits: boolean;
  /** Syncs that one process takes in at once; four times as many are under way. */
  pullsAtOnce: number;
  /** Bounds on what ERPs answer that are set: invoices of a workspace, installments of an invoice, hours of a sync. */
  erpBounds: Record<"invoicesOfWorkspace" | "installmentsOfInvoice" | "hoursOfRun", number | undefined>;
  /** How long requests are still taken after SIGTERM, while `/readyz` says 503. */
  shutdownDelayMs: number;
  /** Days for which mails, executions and audit entries are kept. */
  keepDays: KeepDays;
  logLevel: string;
  /** Null: no metrics or traces. */
  telemetry: TelemetryConfig | null;
}

/** Reads and checks the settings. Throws {@link ConfigError} naming the first one that is not valid. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const settings = parseSettings(environment);
  const databaseUrl = settings.DATABASE_URL ?? null;
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`;
  const { hostname } = new URL(publicUrl);
  const isLoopback = isLoopbackUrl(publicUrl);
  const demo = settings.DEMO === undefined ? databaseUrl === null && isLoopback : settings.DEMO === "on";

  if (demo && !isLoopback) throw new ConfigError("DEMO: the demo runs on a loopback PUBLIC_URL only");
  if (settings.RATE_LIMITS === "off" && !isLoopback)
    throw new ConfigError("RATE_LIMITS: limits can be lifted on a loopback PUBLIC_URL only");
  if (databaseUrl !== null && settings.ENCRYPTION_KEY === undefined)
    throw new ConfigError("ENCRYPTION_KEY: required with DATABASE_URL (openssl rand -base64 32)");
  if (settings.DATABASE_DIRECT_URL !== undefined && databaseUrl === null)
    throw new ConfigError("DATABASE_DIRECT_URL: goes together with DATABASE_URL");
  if (settings.ENCRYPTION_KEY_PREVIOUS !== undefined && settings.ENCRYPTION_KEY === undefined)
    throw new ConfigError("ENCRYPTION_KEY_PREVIOUS: goes together with ENCRYPTION_KEY");

  return {
    port: settings.PORT,
    host: settings.HOST,
    publicUrl,
    databaseUrl,
    databaseDirectUrl: settings.DATABASE_DIRECT_URL ?? null,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    dataDir: resolve(settings.DATA_DIR),
    demo,
    externalIssuer: externalIssuerOf(settings, publicUrl),
    clientMetadataDocuments: settings.CLIENT_METADATA_DOCUMENTS === "on",
    smtpUrl: settings.SMTP_URL ?? null,
    mailFrom: settings.MAIL_FROM ?? `no-reply@${isLoopback || hostname.startsWith("[") ? "localhost" : hostname}`,
    encryptionKey: settings.ENCRYPTION_KEY ?? null,
    previousEncryptionKey: settings.ENCRYPTION_KEY_PREVIOUS ?? null,
    securityContact: settings.SECURITY_CONTACT ?? null,
    listing: listingOf(settings),
    trustedProxies: settings.TRUSTED_PROXIES ?? false,
    rateLimits: settings.RATE_LIMITS === "on",
    pullsAtOnce: settings.PULLS_AT_ONCE,
    erpBounds: {
      invoicesOfWorkspace: settings.MAX_INVOICES_PER_WORKSPACE,
      installmentsOfInvoice: settings.MAX_INSTALLMENTS_PER_INVOICE,
      hoursOfRun: settings.MAX_SYNC_HOURS,
    },
    shutdownDelayMs: settings.SHUTDOWN_DELAY_SECONDS * 1_000,
    keepDays: keepDaysOf(settings),
    logLevel: settings.LOG_LEVEL,
    telemetry: telemetryOf(settings),
  };
}

function parseSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  // An empty variable counts as unset: compose files and shells leave settings out that way.
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ConfigError(`${String(issue?.path[0])}: ${issue?.message}`);
  }
  return parsed.data;
}

function telemetryOf(settings: Settings): TelemetryConfig | null {
  const { METRICS_PORT: metricsPort = null, OTEL_EXPORTER_OTLP_ENDPOINT: collector = null, HOST: host } = settings;
  if (metricsPort === null && collector === null) return null;
  if (metricsPort === settings.PORT) throw new ConfigError("METRICS_PORT: must be another than PORT");
  const { OTEL_TRACES_SAMPLER_ARG: tracesRatio, TRACED_BAGGAGE: tracedBaggage = [] } = settings;
  const { OTEL_SERVICE_NAME: name, OTEL_RESOURCE_ATTRIBUTES: attributes } = settings;
  const resource = { ...attributes, ...(name === undefined ? {} : { "service.name": name }) };
  return { metricsPort, host, collector, resource, tracesRatio, tracedBaggage };
}

type Settings = z.infer<typeof Environment>;

function keepDaysOf(settings: Settings): KeepDays {
  const { KEEP_MAILS_DAYS: mails, KEEP_EXECUTIONS_DAYS: executions, KEEP_AUDIT_DAYS: audit } = settings;
  return { mails, executions, audit };
}

function listingOf(settings: Settings): ListingConfig {
  return {
    serverName: settings.SERVER_NAME ?? null,
    privacyUrl: settings.PRIVACY_URL ?? null,
    termsUrl: settings.TERMS_URL ?? null,
    supportUrl: settings.SUPPORT_URL ?? null,
    registryProof: settings.MCP_REGISTRY_AUTH ?? null,
    openAiChallenge: settings.OPENAI_APPS_CHALLENGE ?? null,
  };
}

type OAuthSettings = Pick<Settings, Extract<keyof Settings, `OAUTH_${string}`>>;

function externalIssuerOf(settings: OAuthSettings, publicUrl: string): ExternalIssuerConfig | null {
  const { OAUTH_ISSUER: issuer, OAUTH_TOKEN_PROFILE: profile = "rfc9068" } = settings;
  const { OAUTH_INTROSPECTION_CLIENT_ID: clientId, OAUTH_INTROSPECTION_CLIENT_SECRET: clientSecret } = settings;
  if (issuer === undefined) {
    const stray = Object.entries(settings).find(([name, value]) => name.startsWith("OAUTH_") && value !== undefined);
    if (stray !== undefined) throw new ConfigError(`${stray[0]}: has an effect with OAUTH_ISSUER only`);
    return null;
  }
  if ((clientId === undefined) !== (clientSecret === undefined))
    throw new ConfigError("OAUTH_INTROSPECTION_CLIENT_SECRET: goes together with OAUTH_INTROSPECTION_CLIENT_ID");
  if (settings.OAUTH_CLIENT_ID_CLAIM !== undefined && profile !== "relaxed")
    throw new ConfigError("OAUTH_CLIENT_ID_CLAIM: RFC 9068 has client_id; another takes OAUTH_TOKEN_PROFILE=relaxed");
  return {
    issuer,
    audience: settings.OAUTH_AUDIENCE ?? `${publicUrl}/mcp`,
    profile,
    clientIdClaim: settings.OAUTH_CLIENT_ID_CLAIM ?? "client_id",
    sessionClaim: settings.OAUTH_SESSION_CLAIM ?? null,
    tenantClaim: settings.OAUTH_TENANT_CLAIM ?? null,
    linkByEmail: settings.OAUTH_LINK_BY_EMAIL === "on",
    introspection: clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret },
  };
}
