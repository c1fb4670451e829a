import {
  type AuthorizationServer,
  allowInsecureRequests,
  type CustomFetchOptions,
  customFetch,
  discoveryRequest,
  OperationProcessingError,
  processDiscoveryResponse,
} from "oauth4webapi";
import { certificateProblem } from "../src/certificate-problem.ts";
import { boundedFetch, fetchBy, lookups } from "../src/gateways/outgoing.ts";

/** What the library sends: forms, or nothing. */
type OAuthBody = URLSearchParams | undefined;

/** Most bytes of an issuer's answer, uncompressed. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Connections to issuers, whose names are resolved within a limit of their own. */
export const issuerFetch = boundedFetch(fetchBy(lookups.issuers, MAX_ANSWER_BYTES), MAX_ANSWER_BYTES);
/** Timeout of a request to an issuer, in milliseconds. */
const PATIENCE_MS = 5_000;
/** How long metadata are cached; if reading them again fails, the cached ones stay in use. */
const MAX_AGE_MS = 3_600_000;
/** How long an issuer that failed is not asked again. */
const COOLDOWN_MS = 5_000;

/** The issuer did not answer, or its answer is invalid: nothing is decided without it. */
export class IssuerUnavailable extends Error {
  override readonly name = "IssuerUnavailable";
}

/** An error for the log: only its message, because libraries attach responses, claims and codes. */
export function brief(error: unknown): { error: string; code: string | null; because: string | null } {
  const { name, message, cause } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof Error && "code" in error ? String(error.code) : null;
  const certificate = certificateProblem(error);
  const because = cause instanceof Error ? cause.message : null;
  return {
    error: `${name}: ${message}`,
    code,
    because: certificate === null ? because : `its certificate ${certificate}`,
  };
}

/** Options of requests to an issuer: limits of time and size, and plain HTTP on loopback only. */
export function requestOptions(issuer: string) {
  return {
    signal: AbortSignal.timeout(PATIENCE_MS),
    [allowInsecureRequests]: issuer.startsWith("http:"),
    [customFetch]: (url: string, { body, signal, ...options }: CustomFetchOptions<string, OAuthBody>) =>
      issuerFetch(url, {
        ...options,
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      }),
  };
}

/** What an issuer publishes about itself (OpenID Connect Discovery, RFC 8414), checked against its name. */
export class IssuerMetadata {
  readonly issuer: string;
  #known: { metadata: AuthorizationServer; readAt: number } | null = null;
  #failedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<AuthorizationServer> | null = null;

  constructor(issuer: string) {
    this.issuer = issuer;
  }

  /** Throws {@link IssuerUnavailable}. */
  async get(): Promise<AuthorizationServer> {
    const known = this.#known;
    if (known !== null && performance.now() - known.readAt < MAX_AGE_MS) return known.metadata;
    if (performance.now() - this.#failedAt < COOLDOWN_MS) {
      if (known !== null) return known.metadata;
      throw new IssuerUnavailable("the issuer failed a moment ago");
    }
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<AuthorizationServer> {
    try {
      const metadata = await discover(this.issuer);
      this.#known = { metadata, readAt: performance.now() };
      return metadata;
    } catch (cause) {
      this.#failedAt = performance.now();
      if (this.#known !== null) return this.#known.metadata;
      throw new IssuerUnavailable("the issuer's metadata cannot be read", { cause });
    }
  }
}

/** Most issuers publish the first document; some authorization servers without OpenID Connect only the second. */
async function discover(issuer: string): Promise<AuthorizationServer> {
  try {
    return await discoverAt(issuer, "oidc");
  } catch (error) {
    if (!(error instanceof OperationProcessingError)) throw error;
    return discoverAt(issuer, "oauth2");
  }
}

async function discoverAt(issuer: string, algorithm: "oidc" | "oauth2"): Promise<AuthorizationServer> {
  const url = new URL(issuer);
  const response = await discoveryRequest(url, { algorithm, ...requestOptions(issuer) });
  const metadata = await processDiscoveryResponse(url, response);
  // Compared as text: two spellings of an address are two issuers.
  if (metadata.issuer !== issuer) throw new Error("the metadata are another issuer's");
  return metadata;
}
