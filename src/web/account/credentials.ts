import type { Response } from "express";
import type { z } from "zod";
import { triedTooOften } from "../../../auth/attempt-limits.ts";
import { sourceOf } from "../../../auth/failed-authentications.ts";
import { type Html, html, input, secretInput } from "../kit/markup.ts";
import type { OpenVisit } from "../kit/page.ts";

const OF_PASSWORD = html`type="password" autocomplete="current-password" required maxlength="1000"`;

/** What people prove with who they are, by the names of the fields. */
const FIELDS = {
  email: { label: "Email", look: html`type="email" autocomplete="username" required maxlength="320"` },
  password: { label: "Password", look: OF_PASSWORD },
  current_password: { label: "Current password", look: OF_PASSWORD },
  new_password: {
    label: "New password",
    hint: "At least 12 characters.",
    look: html`type="password" autocomplete="new-password" required minlength="12" maxlength="1000"`,
  },
  code: {
    label: "Code",
    look: html`autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required maxlength="40"`,
  },
};
type Credential = keyof typeof FIELDS;

interface Shown {
  /** Keeps the ids of several forms on a page apart. */
  readonly key?: string;
  readonly name?: string;
  readonly label?: string;
  readonly hint?: string;
  readonly faults?: FormFaults;
  /** Further attributes. */
  readonly more?: Html | false;
}

/** A field by which people prove who they are. A form with faults says that passwords have to be given again. */
export function credential(of: Credential, { key = "", faults = {}, more, ...shown }: Shown = {}): Html {
  const { look, ...words } = FIELDS[of];
  const field = { id: `${key}${of}`, name: of, ...words, ...shown, problem: faults[of] };
  const isAgain = /_password$/.test(of) && Object.keys(faults).length > 0;
  return isAgain ? secretInput(field, html`${look} ${more}`, { isAgain }) : input(field, html`${look} ${more}`);
}

/** Whose password it is, for programs that keep passwords. */
export function usernameField(email: string): Html {
  return html`<input type="hidden" name="username" value="${email}" autocomplete="username">`;
}

/** What is wrong with a form, by field. */
export type FormFaults = { readonly [Name in Credential]?: string | undefined };

/** What is said of a new password; nothing of one that can be used. */
export function faultsOfNew({ error }: z.ZodSafeParseResult<string>): FormFaults {
  return error === undefined ? {} : { new_password: `It ${error.issues[0]?.message ?? "cannot be used"}.` };
}

type TooMany = { readonly refused: "too_many"; readonly retryAfterSeconds: number };

/** What a form says of a proof that was refused, and its status: of too many attempts, at its first field. */
export function refusedProof(
  { response }: OpenVisit,
  refused: TooMany | { readonly refused: "wrong"; readonly fields?: readonly string[] },
  words: FormFaults,
): { status: 400 | 429; faults: FormFaults } {
  const all = Object.entries(words);
  if (refused.refused === "wrong") {
    const { fields } = refused;
    return { status: 400, faults: Object.fromEntries(all.filter(([name]) => fields?.includes(name) ?? true)) };
  }
  const message = tooManyAttempts(response, refused);
  return { status: 429, faults: Object.fromEntries(all.slice(0, 1).map(([name]) => [name, message])) };
}

/** The message of an answer 429 after too many failed attempts; it says when to try again in a header, too. */
export function tooManyAttempts(response: Response, { retryAfterSeconds }: Pick<TooMany, "retryAfterSeconds">): string {
  response.setHeader("Retry-After", String(retryAfterSeconds));
  return triedTooOften(retryAfterSeconds);
}

/** Where a request comes from, as attempts are counted and recorded by. */
export function originOf({ request, requestId }: OpenVisit) {
  return { address: sourceOf(request.ip), requestId };
}

/** What was typed in a field, no longer than anything that fits it. */
export function typedProof(visit: OpenVisit, name: Credential): string {
  return visit.field(name).slice(0, name === "code" ? 100 : name === "email" ? 320 : 1_000);
}

/** Signs in by a password that was right. False where it was changed meanwhile. */
export function signInByPassword(
  { site, request, response }: OpenVisit,
  { personId, passwordHash }: { personId: string; passwordHash: string },
  secondFactor: boolean,
): Promise<boolean> {
  return site.signIn(request, response, { personId, tenantId: null, secondFactor, proof: { passwordHash } });
}
