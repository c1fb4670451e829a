import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { linkMember } from "../../auth/identities/link-member.ts";
import { addMember } from "../../auth/members/add-member.ts";
import type { ExternalIssuerConfig } from "../../src/config.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { TestClock, testCore } from "../support/core.ts";
import { type Issuer, startIssuer } from "../support/issuer.ts";
import { callerOf, callMcp } from "../support/oauth-client.ts";
import { peopleOf } from "../support/people.ts";
import { AUDIENCE, issuerConfig, startResource } from "../support/resource.ts";
import { rowOf } from "../support/stored.ts";
import type { TestStore } from "../support/stores.ts";

export const READ = "receivables:read";
export let issuer: Issuer;

/** For each block of tests: a module is loaded once for several files. */
function useIssuer() {
  beforeAll(async () => {
    issuer = await startIssuer();
  });
  afterAll(() => issuer.stop());
}

/** Each call has an address of its own, so that none is locked out for another's failures. */
let addresses = 0;
export function call(origin: string, token: string): Promise<Response> {
  addresses += 1;
  const from = `198.51.${addresses >> 8}.${addresses & 255}`;
  return callMcp(origin, token, { headers: { "x-forwarded-for": from } });
}

/** A workspace with one member whom the issuer knows as a subject. */
export interface Place {
  tenantId: string;
  email: string;
  subject: string;
}

export async function place(core: Core, { linked = true, role = "admin" as "admin" | "member" } = {}): Promise<Place> {
  const { id } = await peopleOf(core).addWorkspace();
  const email = `${randomUUID()}@example.com`;
  const subject = randomUUID();
  await operate(core, id, addMember, { email, role });
  if (linked) await operate(core, id, linkMember, { email, issuer: issuer.url, subject });
  return { tenantId: id, email, subject };
}

/** What a conforming token of the issuer says. */
export function claimsFor({ subject }: Pick<Place, "subject">, change: object = {}): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1_000);
  const fixed = { iss: issuer.url, aud: AUDIENCE, iat: now, exp: now + 600, jti: randomUUID() };
  return { ...fixed, sub: subject, client_id: "assistant", scope: READ, ...change };
}

/** The app of one `describe`. */
export function useResource(open: () => Promise<TestStore>, change: () => Partial<ExternalIssuerConfig> = () => ({})) {
  useIssuer();
  const clock = new TestClock(new Date().toISOString());
  const held: { store?: TestStore; core?: Core; url?: string; close?: () => Promise<void> } = {};
  beforeAll(async () => {
    held.store = await open();
    held.core = testCore(held.store.store, clock);
    Object.assign(held, await startResource(held.core, issuerConfig(issuer.url, change())));
  });
  afterAll(async () => {
    await held.close?.();
    await held.store?.remove();
  });
  const site = {
    clock,
    get core(): Core {
      if (held.core === undefined) throw new Error("not started yet");
      return held.core;
    },
    get url(): string {
      return held.url ?? "";
    },
    /** Calls with a token that the issuer signs, for what is there or about what its claims are changed to. */
    ask: async (claims: Pick<Place, "subject">, change: object = {}) =>
      call(site.url, await issuer.sign(claimsFor(claims, change))),
    /** Who such a call comes from. */
    caller: async (claims: Pick<Place, "subject">, change: object = {}) => callerOf(await site.ask(claims, change)),
    /** Calls with a token of just these claims. */
    send: async (claims: object, header: object = {}) => call(site.url, await issuer.sign(claims, header)),
    personOf: async ({ email }: Place) => {
      const person = await rowOf(site.core.store, null, "people", { email });
      return person.person_id;
    },
    link: ({ tenantId }: Place, email: string, subject: string) =>
      operate(site.core, tenantId, linkMember, { email, issuer: issuer.url, subject }),
  };
  return site;
}

export async function expectInvalid(answer: Response): Promise<void> {
  expect(answer.status).toBe(401);
  expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token", .*resource_metadata="http/);
  expect(await answer.json()).toMatchObject({ error: { code: "invalid_credentials" } });
}

export async function expectRevoked(answer: Response): Promise<void> {
  expect(answer.status).toBe(401);
  expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token"/);
  expect(await answer.json()).toMatchObject({ error: { code: "revoked_credentials" } });
}
