import { isIP, isIPv4 } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { parseDatabaseUrl } from "./database-url.ts";

/** A setting that cannot be used; its message is the one line the start ends with. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether an address of ours leads no further than this machine. */
export const isLoopbackUrl = (url: string): boolean => LOOPBACK.has(new URL(url).hostname);

const portFrom = (lowest: number) => {
  const error = `must be a port, ${lowest} to 65535`;
  return z.coerce.number(error).int(error).min(lowest, error).max(65_535, error);
};
const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`);
const OnOff = oneOf(["on", "off"]);

const RATIO = "must be a number from 0 to 1";
const Ratio = z.coerce.number(RATIO).min(0, RATIO).max(1, RATIO);

const PULLS = "must be a whole number from 2 to 100";
const PullsAtOnce = z.coerce.number(PULLS).int(PULLS).min(2, PULLS).max(100, PULLS);

const Origin = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.href !== `${url.origin}/`) {
    context.addIssue({ code: "custom", message: "must be an origin such as https://receivables.example.com" });
    return z.NEVER;
  }
  return url.origin;
});

/** Address of an issuer, kept to the letter: issuers are compared as text, and some end with a slash. */
export const IssuerUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  if (url === null || /[?#\s]/.test(text) || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.has(url.hostname));
}, "must be an https address such as https://login.example.com/realms/acme");

const ClaimName = z.string().regex(/^[\x21-\x7e]{1,200}$/, "must be the name of a claim");

const SmtpUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && ["smtp:", "smtps:"].includes(url.protocol) && url.hostname !== "";
}, "must be an address such as smtp://user:password@mail.example.com:587");

/** A URI as RFC 9116 wants it; a bare email address is one to mail to. */
const SecurityContact = z.string().transform((text, context) => {
  if (/^[^\s@<>":/]+@[^\s@<>"]+$/.test(text)) return `mailto:${text}`;
  if (/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+?[\d-]+)$/.test(text) && URL.canParse(text)) return text;
  context.addIssue({
    code: "custom",
    message: "must be an email address, or a URI that begins with https:, mailto: or tel:",
  });
  return z.NEVER;
});

const EncryptionKey = z.string().transform((text, context) => {
  const key = Buffer.from(text, "base64");
  if (key.byteLength !== 32) {
    context.addIssue({ code: "custom", message: "must be 32 bytes in base64 (openssl rand -base64 32)" });
    return z.NEVER;
  }
  return key;
});

const Collector = z.string().transform((text, context) => {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.search !== "" || url.hash !== "") {
    context.addIssue({ code: "custom", message: "must be an address such as http://127.0.0.1:4318" });
    return z.NEVER;
  }
  return url.href.replace(/\/+$/, "");
});

const TrustedProxies = z.string().transform((text, context) => {
  if (/^\d+$/.test(text)) return Number(text);
  const addresses = text.split(/[\s,]+/).filter((entry) => entry !== "");
  if (addresses.length === 0 || !addresses.every(isProxyAddress)) {
    const message = "must be a number of proxies, or addresses such as 10.0.0.1, 10.0.0.0/8 or loopback";
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }
  return addresses;
});

/** Whether Express, which throws for any other, takes it: an address, a range of them, or a name for some. */
function isProxyAddress(entry: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(entry)) return true;
  const [address = "", range, ...more] = entry.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  if (range === undefined) return true;
  if (/^\d+$/.test(range)) return Number(range) >= 1 && Number(range) <= (family === 4 ? 32 : 128);
  return family === 4 && isNetmask(range);
}

function isNetmask(text: string): boolean {
  const bits = text.split(".").map((part) => Number(part).toString(2).padStart(8, "0"));
  return isIPv4(text) && /^1+0*$/.test(bits.join(""));
}

const DatabaseUrl = z.string().superRefine((text, context) => {
  const address = parseDatabaseUrl(text);
  if (typeof address === "string") context.addIssue({ code: "custom", message: address });
});

const POOL_SIZE = "must be a number of connections, 2 to 1000";
const PoolSize = z.coerce.number(POOL_SIZE).int(POOL_SIZE).min(2, POOL_SIZE).max(1_000, POOL_SIZE);

const Environment = z.object({
  PORT: portFrom(0).default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  PUBLIC_URL: Origin.optional(),
  DATABASE_URL: DatabaseUrl.optional(),
  DATABASE_DIRECT_URL: DatabaseUrl.optional(),
  DATABASE_POOL_SIZE: PoolSize.default(10),
  DATA_DIR: z.string().min(1).default("./data"),
  DEMO: OnOff.optional(),
  OAUTH_ISSUER: IssuerUrl.optional(),
  OAUTH_AUDIENCE: z.string().optional(),
  OAUTH_TOKEN_PROFILE: oneOf(["rfc9068", "relaxed"]).optional(),
  OAUTH_CLIENT_ID_CLAIM: ClaimName.optional(),
  OAUTH_SESSION_CLAIM: ClaimName.optional(),
  OAUTH_TENANT_CLAIM: ClaimName.optional(),
  OAUTH_LINK_BY_EMAIL: OnOff.optional(),
  OAUTH_INTROSPECTION_CLIENT_ID: z.string().optional(),
  OAUTH_INTROSPECTION_CLIENT_SECRET: z.string().optional(),
  SMTP_URL: SmtpUrl.optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\s@<>"]+@[^\s@<>"]+$/, "must be an email address")
    .optional(),
  ENCRYPTION_KEY: EncryptionKey.optional(),
  ENCRYPTION_KEY_PREVIOUS: EncryptionKey.optional(),
  SECURITY_CONTACT: SecurityContact.optional(),
  TRUSTED_PROXIES: TrustedProxies.optional(),
  RATE_LIMITS: OnOff.default("on"),
  PULLS_AT_ONCE: PullsAtOnce.default(4),
  METRICS_PORT: portFrom(1).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: Collector.optional(),
  OTEL_TRACES_SAMPLER_ARG: Ratio.default(1),
  LOG_LEVEL: oneOf(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
});

/** The name of every setting. */
export const SETTINGS: readonly string[] = Object.keys(Environment.shape);

/** Where metrics and traces go. */
export interface TelemetryConfig {
  /** On which Prometheus may ask for metrics; null for none. */
  metricsPort: number | null;
  /** The address listened on for that, the same as for requests. */
  host: string;
  /** An OpenTelemetry collector (OTLP over HTTP) that metrics and traces are sent to; null for none. */
  collector: string | null;
  /** The share of requests that are traced, 0 to 1. */
  tracesRatio: number;
}

/** The authorization server of somebody else's whose tokens are taken instead of our own. */
export interface ExternalIssuerConfig {
  /** To the letter. */
  issuer: string;
  /** What tokens for us are issued for; `{mcp_url}` unless said otherwise. */
  audience: string;
  /** `rfc9068` is strict; `relaxed` takes any signed JWT with issuer, audience, expiry, subject and client. */
  profile: "rfc9068" | "relaxed";
  /** `relaxed`: where a token names its client. */
  clientIdClaim: string;
  /** Tells the sessions of one person and client apart, each a connection of its own; null for one connection. */
  sessionClaim: string | null;
  /** Names the workspace's id; null where each person is linked to one workspace alone. */
  tenantClaim: string | null;
  /** Whether a verified email of a member links the token's subject to them. */
  linkByEmail: boolean;
  /** How opaque tokens are asked about; null when none are taken. */
  introspection: { clientId: string; clientSecret: string } | null;
}

/** Everything that can be configured, checked; the only reader of the environment makes it. */
export interface Config {
  port: number;
  host: string;
  /** `{base_url}`: the origin clients reach the service at, and the issuer of its tokens. */
  publicUrl: string;
  /** One host, or several of which one takes writes. */
  databaseUrl: string | null;
  /** The way past a pooler that `databaseUrl` leads through; null where it leads to PostgreSQL itself. */
  databaseDirectUrl: string | null;
  /** Most connections for transactions; a quarter more are for lookups. */
  databasePoolSize: number;
  /** Absolute path. */
  dataDir: string;
  demo: boolean;
  /** Null: the service is its own authorization server. */
  externalIssuer: ExternalIssuerConfig | null;
  /** Null: messages land in the folder `outbox` of `dataDir`. */
  smtpUrl: string | null;
  /** The address the service's mail is sent from; the name beside it is the workspace's. */
  mailFrom: string;
  /** Null: the key in the data folder, made at the first start (embedded store only). */
  encryptionKey: Buffer | null;
  /** What is stored under it is still read; nothing is written with it. */
  previousEncryptionKey: Buffer | null;
  /** Whom to tell of a vulnerability, as a URI; null where nobody is named. */
  securityContact: string | null;
  /** Hops, or addresses, whose X-Forwarded-For counts; false for none. */
  trustedProxies: number | string[] | false;
  /** False lifts the per-minute limits; their headers stay. */
  rateLimits: boolean;
  /** Syncs that one process works on at once; half of it at most for one ERP host, one workspace, or ERPs that do not answer. */
  pullsAtOnce: number;
  logLevel: string;
  /** Null: nothing is measured. */
  telemetry: TelemetryConfig | null;
}

/** Reads and checks the settings. Throws {@link ConfigError} naming the first one that cannot be used. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable is an unset one: that is how compose files and shells leave things out.
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ConfigError(`${String(issue?.path[0])}: ${issue?.message}`);
  }
  const settings = parsed.data;
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
    smtpUrl: settings.SMTP_URL ?? null,
    mailFrom: settings.MAIL_FROM ?? `no-reply@${isLoopback || hostname.startsWith("[") ? "localhost" : hostname}`,
    encryptionKey: settings.ENCRYPTION_KEY ?? null,
    previousEncryptionKey: settings.ENCRYPTION_KEY_PREVIOUS ?? null,
    securityContact: settings.SECURITY_CONTACT ?? null,
    trustedProxies: settings.TRUSTED_PROXIES ?? false,
    rateLimits: settings.RATE_LIMITS === "on",
    pullsAtOnce: settings.PULLS_AT_ONCE,
    logLevel: settings.LOG_LEVEL,
    telemetry: telemetryOf(settings),
  };
}

function telemetryOf(settings: z.infer<typeof Environment>): TelemetryConfig | null {
  const { METRICS_PORT: metricsPort = null, OTEL_EXPORTER_OTLP_ENDPOINT: collector = null, HOST: host } = settings;
  if (metricsPort === null && collector === null) return null;
  if (metricsPort === settings.PORT) throw new ConfigError("METRICS_PORT: must be another than PORT");
  return { metricsPort, host, collector, tracesRatio: settings.OTEL_TRACES_SAMPLER_ARG };
}

type OAuthSettings = Pick<z.infer<typeof Environment>, Extract<keyof z.infer<typeof Environment>, `OAUTH_${string}`>>;

function externalIssuerOf(settings: OAuthSettings, publicUrl: string): ExternalIssuerConfig | null {
  const { OAUTH_ISSUER: issuer, OAUTH_TOKEN_PROFILE: profile = "rfc9068" } = settings;
  const { OAUTH_INTROSPECTION_CLIENT_ID: clientId, OAUTH_INTROSPECTION_CLIENT_SECRET: clientSecret } = settings;
  if (issuer === undefined) {
    const stray = Object.entries(settings).find(([name, value]) => name.startsWith("OAUTH_") && value !== undefined);
    if (stray !== undefined) throw new ConfigError(`${stray[0]}: means something with OAUTH_ISSUER alone`);
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
