import { AsyncLocalStorage } from "node:async_hooks";
import { hash } from "node:crypto";
import { type Adapter, type AdapterPayload, errors } from "oidc-provider";
import { type Core, nowOf } from "../../src/core/gate/dependencies.ts";
import {
  claimArtifacts,
  consumeArtifact,
  consumeRefreshToken,
  deleteArtifact,
  deleteArtifactsOfGrants,
  deleteEarlierFamilies,
  deleteFirstToExpire,
  findArtifact,
  grantOfArtifact,
  hasMoreOfGrant,
  hasToken,
  keepArtifact,
  upsertArtifact,
} from "../../src/store/identity/oidc-artifacts.ts";
import type { Transaction } from "../../src/store/store.ts";
import { networkOf, sourceOf } from "../failed-authentications.ts";
import { currentRequest } from "./current-request.ts";

/** How long the previous refresh token still works: parallel calls of one client all refresh at once. */
export const REFRESH_GRACE_MS = 30_000;

/** How long a client that registered itself is kept until somebody approves it. */
const UNUSED_CLIENT_SECONDS = 86_400;
/** The most that is kept, of all addresses, of what somebody without an account makes ({@link deleteFirstToExpire}). */
const MOST_OF_STRANGERS: ReadonlyMap<string, number> = new Map([
  ["Client", 5_000],
  ["Interaction", 5_000],
]);
/**
 * Used refresh tokens are kept to tell a stolen one: who refreshes every ten minutes has 4,320 in their lifetime. An approval with
 * more than this number ends, for to drop the oldest would drop the proof.
 */
const MOST_OF_GRANT = 20_000;

/** The form of every code and refresh token: what has another is not looked for. */
const ISSUED = /^[\w-]{43}$/;

/** What the authorization server keeps, in the store: grants, codes, refresh tokens, interactions, clients. */
export interface Artifacts {
  adapter(model: string): Adapter;
  /** Runs `work`; artifacts that the provider stores meanwhile are stored in `tx`. */
  within<T>(tx: Transaction, work: () => Promise<T>): Promise<T>;
  /** Whether one of the values is a stored code or refresh token, used ones included; a made-up value is not. */
  holdsOne(values: readonly string[]): Promise<boolean>;
  /** Gives an interaction, and its client that nobody approved yet, to the person who opened it. */
  claim(ids: readonly [uid: string, clientId: string], personId: string): Promise<void>;
  /** Marks an interaction as decided; false if it was decided already. */
  decide(tx: Transaction, uid: string): Promise<boolean>;
  /** Keeps a client that registered itself for good: somebody approved it. */
  keepClient(tx: Transaction, clientId: string): Promise<void>;
}

interface Hooks {
  /** Throws if the request under way must not use up a one-time artifact. */
  beforeUse: () => void;
  /** Ends the connection behind a grant, with all its artifacts. */
  endGrant: (grantId: string) => Promise<void>;
}

/** Builds {@link Artifacts}. */
export function oidcArtifacts(core: Core, hooks: Hooks): Artifacts {
  const ambient = new AsyncLocalStorage<Transaction>();
  const run: Run = (work, about) => {
    const tx = ambient.getStore();
    return tx === undefined ? core.store.directory(work, about) : work(tx);
  };
  return {
    adapter: (model) => new ArtifactAdapter(core, model, run, hooks),
    within: (tx, work) => ambient.run(tx, work),
    async holdsOne(values) {
      const ids = values.filter((value) => ISSUED.test(value)).map(digest);
      return ids.length > 0 && core.store.directory((tx) => hasToken(tx, ids));
    },
    claim: (ids, personId) => core.store.directory((tx) => claimArtifacts(tx, ids.map(digest), personId), personId),
    decide: (tx, uid) => consumeArtifact(tx, { model: "Interaction", idHash: digest(uid) }, nowOf(core)),
    keepClient: (tx, clientId) => keepArtifact(tx, { model: "Client", idHash: digest(clientId) }),
  };
}

/** Whose turns it takes: what writes is about its grant, for refreshes of one wait for each other, or about who made it. */
type Run = <T>(work: (tx: Transaction) => Promise<T>, about?: string) => Promise<T>;

/** One kind of artifact. Most ids are secrets, so the store has their digest, and a payload without the id. */
class ArtifactAdapter implements Adapter {
  readonly #core: Core;
  readonly #model: string;
  readonly #run: Run;
  readonly #hooks: Hooks;

  constructor(core: Core, model: string, run: Run, hooks: Hooks) {
    this.#core = core;
    this.#model = model;
    this.#run = run;
    this.#hooks = hooks;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number) {
    const { jti: _id, client_secret: secret, ...rest } = payload;
    const stored = {
      ...rest,
      ...(secret === undefined ? {} : { client_secret: this.#core.secrets.encrypt(secret, placeOf(id)) }),
      // The provider uses its own clock; the time of a request is compared with the time of the sign-in.
      ...(this.#model === "Interaction" ? { iat: Math.floor(this.#core.clock.now().getTime() / 1000) } : {}),
    };
    const seconds = this.#model === "Client" ? UNUSED_CLIENT_SECONDS : expiresIn;
    const expires = seconds === undefined ? null : this.#instant(seconds * 1000);
    const grantId = this.#model === "Grant" ? id : (payload.grantId ?? null);
    const most = MOST_OF_STRANGERS.get(this.#model);
    const source = sourceOf(currentRequest().address);
    const maker = networkOf(source) ?? source;
    const isOver = await this.#run(async (tx) => {
      await upsertArtifact(tx, {
        model: this.#model,
        id_hash: digest(id),
        payload: JSON.stringify(stored),
        grant_id: grantId,
        uid: payload.uid ?? null,
        holder: most === undefined ? "" : maker,
        expires_at: expires,
      });
      if (most !== undefined) await deleteFirstToExpire(tx, this.#model, most);
      // The first of a later approval for the same connection: a client keeps one; a stolen second would go unnoticed.
      const { sessionUid: family } = payload;
      if (this.#model === "RefreshToken" && payload.rotations === 0 && grantId !== null && family !== undefined)
        await deleteEarlierFamilies(tx, { model: this.#model, grantId, family });
      return this.#model === "RefreshToken" && grantId !== null && (await hasMoreOfGrant(tx, grantId, MOST_OF_GRANT));
    }, grantId ?? maker);
    if (isOver && grantId !== null) await this.#endGrant(grantId, "refreshed too often");
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.#run((tx) => findArtifact<AdapterPayload>(tx, this.#key(id), nowOf(this.#core)));
    if (found === undefined) return undefined;
    const { client_secret: secret, ...payload } = found.payload;
    return {
      ...payload,
      ...(this.#model === "Client" ? {} : { jti: id }),
      ...(secret === undefined ? {} : { client_secret: this.#core.secrets.decrypt(secret, placeOf(id)) }),
      ...(this.#isSpent(found.consumed_at) ? { consumed: true } : {}),
    };
  }

  /** A one-time artifact is consumed exactly once; a second use means that it was stolen. */
  async consume(id: string) {
    this.#hooks.beforeUse();
    const key = this.#key(id);
    const now = nowOf(this.#core);
    const graceStart = this.#instant(-REFRESH_GRACE_MS);
    const grantId = await this.#grantOf(id);
    const use = (tx: Transaction) =>
      this.#model === "RefreshToken"
        ? consumeRefreshToken(tx, key, { now, graceStart })
        : consumeArtifact(tx, key, now);
    if (await this.#run(use, grantId ?? key.idHash)) return;
    await this.#endGrant(grantId, `${this.#model} already used`);
  }

  async #endGrant(grantId: string | null, reason: string) {
    if (grantId !== null) await this.#hooks.endGrant(grantId);
    throw new errors.InvalidGrant(reason);
  }

  async destroy(id: string) {
    if (this.#model === "Grant") await this.#hooks.endGrant(id);
    await this.#run((tx) => deleteArtifact(tx, this.#key(id)), (await this.#grantOf(id)) ?? digest(id));
  }

  revokeByGrantId(grantId: string) {
    return this.#run((tx) => deleteArtifactsOfGrants(tx, [grantId], this.#model), grantId);
  }

  /** No session outlives its authorization, so none is looked up by its uid. */
  async findByUid(): Promise<undefined> {
    return undefined;
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  #grantOf(id: string) {
    return this.#run((tx) => grantOfArtifact(tx, this.#key(id)));
  }

  #isSpent(consumedAt: string | null) {
    if (consumedAt === null) return false;
    return this.#model !== "RefreshToken" || consumedAt <= this.#instant(-REFRESH_GRACE_MS);
  }

  #instant(fromNowMs: number) {
    return new Date(this.#core.clock.now().getTime() + fromNowMs).toISOString();
  }

  #key(id: string): { model: string; idHash: string } {
    return { model: this.#model, idHash: digest(id) };
  }
}

const digest = (id: string): string => hash("sha256", id);
const placeOf = (id: string): string => `oidc_artifacts/${digest(id)}`;
