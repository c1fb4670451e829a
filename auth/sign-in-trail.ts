import { hash } from "node:crypto";
import type { Core, Stamping } from "../src/core/gate/dependencies.ts";
import { windowAt } from "../src/core/gate/rate-limits.ts";
import type { AuditedObject } from "../src/core/gate/run-context.ts";
import { workStep } from "../src/core/gate/work-step.ts";
import { countAttempt } from "../src/store/identity/failed-attempts.ts";
import type { Transaction } from "../src/store/store.ts";
import { selectAllMemberships, selectMemberships } from "./membership-queries.ts";
import type { SignedIn } from "./sign-in-reach-queries.ts";

/** The source of a sign-in. */
export interface SignInOrigin {
  /** `sourceOf` their address, as trusted proxies report it. */
  readonly address: string;
  readonly requestId: string;
}

/** The number of a person's workspaces, by name, in which a sign-in is audited. */
const MAX_WORKSPACES = 100;
/** Failures per account and hour that are audited; anybody can cause them, so further ones are only logged. */
const MAX_FAILURES = 10;
const FAILURE_WINDOW_SECONDS = 3_600;

/** What a sign-in was proved by. */
export type HowSignedIn = "password" | "password and code" | "provider";

/** A sign-in of a member, or a failed attempt; all it writes in a workspace is the audit entry. */
const signInAct = workStep({
  name: "signIn",
  callers: ["person", "system"],
  run: async ({ audit }, { memberId, ...entry }: { memberId: string } & Pick<AuditedObject, "outcome" | "details">) =>
    audit({ type: "member", id: memberId, ...entry }),
});

/** Audits a sign-in in each workspace it counts for, in the transaction that starts its session. */
export async function recordSignIn(
  tx: Transaction,
  core: Stamping,
  who: SignedIn,
  { how, address, requestId }: SignInOrigin & { how: HowSignedIn },
): Promise<void> {
  for (const { tenantId, memberId } of await selectMemberships(tx, who, MAX_WORKSPACES))
    await signInAct.within(
      { tx, core, requestId },
      { kind: "person", tenantId, memberId },
      { memberId, details: { how, address: shownAddress(address) } },
    );
}

/**
 * Audits a wrong password: without an actor, on the account it was tried on. An unknown email costs the same work, so
 * that the duration tells nothing, and is only logged.
 */
export async function recordFailedSignIn(
  core: Core,
  { email, personId }: { email: string; personId: string | null },
  { address, requestId }: SignInOrigin,
): Promise<void> {
  const from = shownAddress(address);
  core.log.info({ request_id: requestId, address: from, known: personId !== null }, "sign_in.failed");
  const subject = `failed-sign-in:${hash("sha256", email, "base64url")}`;
  const { start: windowStart } = windowAt(core.clock.now(), FAILURE_WINDOW_SECONDS);
  await core.store.directory(async (tx) => {
    const failures = await countAttempt(tx, { subject, windowStart });
    const places = await selectAllMemberships(tx, personId ?? core.newId(), MAX_WORKSPACES);
    if (failures > MAX_FAILURES) return;
    const isLast = failures === MAX_FAILURES;
    const note = isLast && { note: `further ones until ${endOf(windowStart)} are only logged` };
    const details = { how: "password", address: from, account: email, ...note };
    for (const { tenantId, memberId } of places)
      await signInAct.within(
        { tx, core, requestId },
        { kind: "system", tenantId, name: "sign_in" },
        { memberId, outcome: "refused", details },
      );
  }, subject);
}

function endOf(windowStart: string) {
  return new Date(Date.parse(windowStart) + FAILURE_WINDOW_SECONDS * 1_000).toISOString().slice(11, 16).concat(" UTC");
}

/** The source that limits are counted for: an IPv4 address, or the /64 network of an IPv6 address. */
export function shownAddress(address: string) {
  return address.replace(/^address:/, "");
}
