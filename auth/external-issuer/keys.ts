import { createRemoteJWKSet, customFetch, errors, type FlattenedJWSInput, type JWSHeaderParameters } from "jose";
import { type IssuerMetadata, IssuerUnavailable, issuerFetch } from "../issuer-metadata.ts";

/** The interval at which an unknown key id may cause the keys to be read again. */
const COOLDOWN_MS = 30_000;
/** How long a withdrawn key may still be accepted. */
const MAX_AGE_MS = 600_000;
/** How long keys that could not be read are not requested again. */
const FAILURE_COOLDOWN_MS = 5_000;

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

/** An issuer's public keys, read from the address in its metadata; addresses in tokens are never fetched. */
export class IssuerKeys {
  readonly #metadata: IssuerMetadata;
  #remote: { uri: string; keys: RemoteKeys } | null = null;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(metadata: IssuerMetadata) {
    this.#metadata = metadata;
  }

  /** The key of a token. Throws jose's errors for an unknown key, {@link IssuerUnavailable} if keys cannot be read. */
  readonly find = async (header: JWSHeaderParameters, token: FlattenedJWSInput) => {
    const { keys } = await this.#keys();
    try {
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      if (error instanceof errors.JOSENotSupported || error instanceof errors.JWKInvalid) throw error;
      throw new IssuerUnavailable("the issuer's keys cannot be read", { cause: error });
    }
  };

  /** All keys as last read. */
  async current() {
    const { keys } = await this.#keys();
    const known = keys.jwks();
    if (known === undefined) throw new IssuerUnavailable("the issuer's keys have not been read");
    return known;
  }

  async #keys() {
    const { jwks_uri: uri } = await this.#metadata.get();
    if (uri === undefined) throw new IssuerUnavailable("the issuer publishes no keys");
    if (uri.startsWith("http:") && !this.#metadata.issuer.startsWith("http:"))
      throw new IssuerUnavailable("the issuer's keys are published in the clear");
    if (this.#remote?.uri !== uri) this.#remote = { uri, keys: this.#open(uri) };
    return this.#remote;
  }

  #open(uri: string): RemoteKeys {
    return createRemoteJWKSet(new URL(uri), {
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: MAX_AGE_MS,
      // The library's cooldown begins with an answer: without this, each token would cause a request in an outage.
      [customFetch]: async (url, options) => {
        if (performance.now() - this.#failedAt < FAILURE_COOLDOWN_MS) throw new Error("the keys failed a moment ago");
        try {
          const response = await issuerFetch(url, options);
          if (response.status !== 200) this.#failedAt = performance.now();
          return response;
        } catch (error) {
          this.#failedAt = performance.now();
          throw error;
        }
      },
    });
  }
}
