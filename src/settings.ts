import { isIP, isIPv4 } from "node:net";
import { z } from "zod";
import { parseDatabaseUrl } from "./database-url.ts";
import { parseRegistryProof } from "./registry-proof.ts";

/** Hosts of one's own machine (RFC 8252 §7.3), as URLs have them. */
export const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The URL that a text is to every parser: a backslash is a slash to some and a letter to others, so there must be none. */
export function plainUrl(text: string): URL | null {
  return text.includes("\\") ? null : URL.parse(text);
}

/** Whether a URL of the service is reachable from this machine only. */
export const isLoopbackUrl = (url: string): boolean => LOOPBACK.has(new URL(url).hostname);

const whole = (min: number, max: number, error: string) =>
  z.coerce.number(error).int(error).min(min, error).max(max, error);
const portFrom = (lowest: number) => whole(lowest, 65_535, `must be a port, ${lowest} to 65535`);
const PullsAtOnce = whole(2, 100, "must be a whole number from 2 to 100");
const PoolSize = whole(2, 1_000, "must be a number of connections, 2 to 1000");
const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`);
const OnOff = choice(["on", "off"]);

/** A text that `convert` makes a value of, null where it cannot. */
const converted = <T>(convert: (text: string) => T | null, message: string) =>
  z.string().transform((text, context) => {
    const value = convert(text);
    if (value !== null) return value;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });

const RATIO = "must be a number from 0 to 1";
const Ratio = z.coerce.number(RATIO).min(0, RATIO).max(1, RATIO);

const isHttp = ({ protocol }: URL): boolean => ["http:", "https:"].includes(protocol);

const Origin = converted((text) => {
  const url = URL.parse(text);
  return url !== null && isHttp(url) && url.href === `${url.origin}/` ? url.origin : null;
}, "must be an origin such as https://receivables.example.com");

/** The URL of an issuer, exactly as given: issuers are compared as text, and some end with a slash. */
export const IssuerUrl = z.string().refine((text) => {
  const url = plainUrl(text);
  if (url === null || /[?#\s]/.test(text) || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.has(url.hostname));
}, "must be an https address such as https://login.example.com/realms/acme");

const ClaimName = z.string().regex(/^[\x21-\x7e]{1,200}$/, "must be the name of a claim");

const SmtpUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && ["smtp:", "smtps:"].includes(url.protocol) && url.hostname !== "";
}, "must be an address such as smtp://user:password@mail.example.com:587");

/** A bare email address as a URI; null for anything else. */
const mailtoOf = (text: string) => (/^[^\s@<>":/]+@[^\s@<>"]+$/.test(text) ? `mailto:${text}` : null);

/** A URI as RFC 9116 requires; a bare email address becomes a mailto: URI. */
const SecurityContact = converted((text) => {
  const isUri = /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+?[\d-]+)$/.test(text) && plainUrl(text) !== null;
  return isUri ? text : mailtoOf(text);
}, "must be an email address, or a URI that begins with https:, mailto: or tel:");

/** A name as the MCP registry has it: the owner's domain backwards, a slash, and what it is. */
const ServerName = z
  .string()
  .max(200, "must have 200 characters at most")
  .regex(/^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/, "must be a name such as com.example.receivables/receivables");

const RegistryProof = converted(
  parseRegistryProof,
  "must be a line such as `v=MCPv1; k=ed25519; p=…` (npm run admin -- registry key)",
);

const Challenge = z.string().regex(/^[\x21-\x7e]{1,500}$/, "must be the text that was given for it, on one line");

const PageUrl = converted(
  (text) => (isPage(plainUrl(text)) ? text : null),
  "must be an https address such as https://example.com/privacy",
);

const SupportAddress = converted((text) => {
  const isUri = /^mailto:[^\s@<>"]+@[^\s@<>"]+$/.test(text) || isPage(plainUrl(text));
  return isUri ? text : mailtoOf(text);
}, "must be an email address, or an https address such as https://example.com/help");

const isPage = (url: URL | null) =>
  url !== null && url.protocol === "https:" && url.username === "" && url.password === "";

const EncryptionKey = converted((text) => {
  const key = Buffer.from(text, "base64");
  return key.byteLength === 32 ? key : null;
}, "must be 32 bytes in base64 (openssl rand -base64 32)");

const Collector = converted((text) => {
  const url = URL.parse(text);
  return url !== null && isHttp(url) && url.search === "" && url.hash === "" ? url.href.replace(/\/+$/, "") : null;
}, "must be an address such as http://127.0.0.1:4318");

const ResourceAttributes = converted((text) => {
  const pairs = [...text.matchAll(/(?:^|,)\s*([\w.-]{1,60})=([^,;"\\\s]{1,500})\s*(?=,|$)/g)];
  if (pairs.map(([pair]) => pair).join("") !== text) return null;
  try {
    return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, decodeURIComponent(value)]));
  } catch {
    return null;
  }
}, "must be pairs such as deployment.environment.name=production,service.namespace=finance");

const BaggageKeys = converted((text) => {
  const keys = text.split(/[\s,]+/).filter((key) => key !== "");
  return keys.length > 0 && keys.length <= 10 && keys.every((key) => /^[\w.-]{1,60}$/.test(key)) ? keys : null;
}, "must be at most 10 names such as session.id, with commas between them");

const TrustedProxies = converted((text) => {
  if (/^\d+$/.test(text)) return Number(text);
  const addresses = text.split(/[\s,]+/).filter((entry) => entry !== "");
  return addresses.length > 0 && addresses.every(isProxyAddress) ? addresses : null;
}, "must be a number of proxies, or addresses such as 10.0.0.1, 10.0.0.0/8 or loopback");

/** Whether Express accepts it as a trusted proxy: an address, a range or one of its names; it throws for anything else. */
function isProxyAddress(entry: string) {
  if (["loopback", "linklocal", "uniquelocal"].includes(entry)) return true;
  const [address = "", range, ...more] = entry.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  if (range === undefined) return true;
  if (/^\d+$/.test(range)) return Number(range) >= 1 && Number(range) <= (family === 4 ? 32 : 128);
  return family === 4 && isNetmask(range);
}

function isNetmask(text: string) {
  const bits = text.split(".").map((part) => Number(part).toString(2).padStart(8, "0"));
  return isIPv4(text) && /^1+0*$/.test(bits.join(""));
}

const DatabaseUrl = z.string().superRefine((text, context) => {
  const address = parseDatabaseUrl(text);
  if (typeof address === "string") context.addIssue({ code: "custom", message: address });
});

/** Days for which what grows without end is kept, unless an operator says otherwise. */
export const KEEP_DAYS = { mails: 90, executions: 365, audit: 3_650 };
export type KeepDays = Readonly<typeof KEEP_DAYS>;
const days = whole(30, 36_500, "must be a number of days, 30 to 36500");

/** Every setting, by its name in the environment. */
export const Environment = z.object({
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
  OAUTH_TOKEN_PROFILE: choice(["rfc9068", "relaxed"]).optional(),
  OAUTH_CLIENT_ID_CLAIM: ClaimName.optional(),
  OAUTH_SESSION_CLAIM: ClaimName.optional(),
  OAUTH_TENANT_CLAIM: ClaimName.optional(),
  OAUTH_LINK_BY_EMAIL: OnOff.optional(),
  OAUTH_INTROSPECTION_CLIENT_ID: z.string().optional(),
  OAUTH_INTROSPECTION_CLIENT_SECRET: z.string().optional(),
  CLIENT_METADATA_DOCUMENTS: OnOff.default("on"),
  SMTP_URL: SmtpUrl.optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\s@<>"]+@[^\s@<>"]+$/, "must be an email address")
    .optional(),
  ENCRYPTION_KEY: EncryptionKey.optional(),
  ENCRYPTION_KEY_PREVIOUS: EncryptionKey.optional(),
  SECURITY_CONTACT: SecurityContact.optional(),
  PRIVACY_URL: PageUrl.optional(),
  TERMS_URL: PageUrl.optional(),
  SUPPORT_URL: SupportAddress.optional(),
  SERVER_NAME: ServerName.optional(),
  MCP_REGISTRY_AUTH: RegistryProof.optional(),
  OPENAI_APPS_CHALLENGE: Challenge.optional(),
  TRUSTED_PROXIES: TrustedProxies.optional(),
  RATE_LIMITS: OnOff.default("on"),
  PULLS_AT_ONCE: PullsAtOnce.default(4),
  MAX_INVOICES_PER_WORKSPACE: whole(1, 100_000_000, "must be a whole number from 1 to 100000000").optional(),
  MAX_INSTALLMENTS_PER_INVOICE: whole(1, 100_000, "must be a whole number from 1 to 100000").optional(),
  MAX_SYNC_HOURS: whole(1, 168, "must be a whole number of hours, 1 to 168").optional(),
  SHUTDOWN_DELAY_SECONDS: whole(0, 7, "must be a whole number of seconds, 0 to 7").default(5),
  KEEP_MAILS_DAYS: days.default(KEEP_DAYS.mails),
  KEEP_EXECUTIONS_DAYS: days.default(KEEP_DAYS.executions),
  KEEP_AUDIT_DAYS: days.default(KEEP_DAYS.audit),
  METRICS_PORT: portFrom(1).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: Collector.optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: ResourceAttributes.optional(),
  OTEL_TRACES_SAMPLER_ARG: Ratio.default(1),
  TRACED_BAGGAGE: BaggageKeys.optional(),
  LOG_LEVEL: choice(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
});

/** The name of every setting. */
export const SETTINGS: readonly string[] = Object.keys(Environment.shape);
