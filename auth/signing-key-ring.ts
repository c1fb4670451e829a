import { createLocalJWKSet, errors, type JWTVerifyGetKey } from "jose";
import type { Core } from "../src/core/gate/dependencies.ts";
import { NOTICES_MISSED } from "../src/store/store.ts";
import { type HeldKey, LOOK_AFTER_MS, loadSigningKeys, publicPart, SIGNING_KEYS_CHANGED } from "./signing-keys.ts";

/** Least interval between reads for unknown key ids, which anybody can send. */
const COOLDOWN_MS = 30_000;

/**
 * The signing keys that this process knows. It learns of a new one by a notice or, if that is lost, from the first
 * token signed with it, and at the latest a minute later.
 */
export class SigningKeyRing {
  readonly #core: Core;
  #keys: readonly HeldKey[];
  #keySet: JWTVerifyGetKey;
  #loadedAt: number;
  #askedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | null = null;

  private constructor(core: Core, keys: readonly HeldKey[]) {
    this.#core = core;
    this.#keys = keys;
    this.#keySet = keySetOf(keys);
    this.#loadedAt = this.#now();
  }

  /** Loads the service's keys, or creates the first; loads them again at each notice of a new one. */
  static async open(core: Core): Promise<SigningKeyRing> {
    const ring = new SigningKeyRing(core, await loadSigningKeys(core));
    core.store.subscribe(({ topic }) => {
      if (topic !== SIGNING_KEYS_CHANGED && topic !== NOTICES_MISSED) return;
      ring.#load().catch((error: unknown) => core.log.error({ err: error }, "signing_keys.not_read"));
    });
    return ring;
  }

  /** The keys that verify tokens now, the current one first; loaded again if that was a while ago. */
  async keys(): Promise<readonly HeldKey[]> {
    if (this.#now() - this.#loadedAt >= LOOK_AFTER_MS) await this.#load();
    return this.#keys.filter(({ checksUntil }) => checksUntil > this.#now());
  }

  /** The key that a token names. Throws JWKSNoMatchingKey. */
  readonly keyOf: JWTVerifyGetKey = async (header, token) => {
    if (!this.#knows(header.kid)) await this.#loadForUnknown();
    if (!this.#knows(header.kid)) throw new errors.JWKSNoMatchingKey();
    return this.#keySet(header, token);
  };

  #knows(kid: string | undefined) {
    return this.#keys.some(({ key, checksUntil }) => key.kid === kid && checksUntil > this.#now());
  }

  async #loadForUnknown() {
    if (this.#loading === null && this.#now() - this.#askedAt < COOLDOWN_MS) return;
    this.#askedAt = this.#now();
    await this.#load();
  }

  /** Concurrent callers share one load. */
  #load() {
    this.#loading ??= (async () => {
      try {
        this.#keys = await loadSigningKeys(this.#core);
        this.#keySet = keySetOf(this.#keys);
        this.#loadedAt = this.#now();
      } finally {
        this.#loading = null;
      }
    })();
    return this.#loading;
  }

  #now() {
    return this.#core.clock.now().getTime();
  }
}

function keySetOf(keys: readonly HeldKey[]): JWTVerifyGetKey {
  return createLocalJWKSet({ keys: keys.map(({ key }) => publicPart(key)) });
}
