import { type ClosedMembership, closedMembershipsOf } from "../../../auth/connections.ts";
import { ORGANISATION_PATH } from "../../../auth/upstream-sign-in/flow.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { FACTOR_PATH, setUpFactorPath, WORKSPACE, withQuery } from "./address.ts";
import { link, warning } from "./parts.ts";
import type { Visit } from "./visit.ts";

/** What is said of a form that was sent to a workspace which its sender's sign-in does not open. */
export const KEPT_OR_LOST = {
  form_kept:
    "This was not carried out. Once the workspace opens, the form is as you typed it, but for secrets, for 15 minutes.",
  form_lost: "This was not carried out, and the form could not be kept: repeat it once the workspace opens.",
};

/** Thrown where a workspace of the person's asks for more than their sign-in: their door has it answered. */
export class ClosedToSignIn extends Error {
  override readonly name = "ClosedToSignIn";
  readonly #visit: Visit;
  readonly #closed: readonly ClosedMembership[];

  constructor(visit: Visit, closed: readonly ClosedMembership[]) {
    super("A workspace asks for more than the sign-in.");
    this.#visit = visit;
    this.#closed = closed;
  }

  /** Leads the person to what is asked for; `form`: whether the one that they sent is kept. */
  answer(form: keyof typeof KEPT_OR_LOST | null) {
    const { originalUrl } = this.#visit.request;
    if (this.#closed.some(({ lacksFactor }) => lacksFactor))
      return this.#visit.redirect(setUpFactorPath(originalUrl, form));
    const asked = this.#closed.map((one) => asksFor(one, originalUrl));
    const ways = asked.length === 0 ? OF_ANOTHER : asked;
    this.#visit.showNarrow("Not open", "Not open yet", [form && KEPT_OR_LOST[form], ways], 403);
  }
}

/** Of any address of another workspace, whether it is theirs or not: for who signed in with their organisation. */
export const OF_ANOTHER = [
  "You signed in with your organisation, which opens its own workspace only. For another one, ",
  link("/signout", "sign out"),
  " and sign in with your password. If you have none, ",
  link("/password", "choose one"),
  " before you sign out.",
];

/**
 * Throws {@link ClosedToSignIn} for workspaces of the person's that are meant (the one asked for, or any) and closed to
 * their sign-in, and where a provider's asks for another than its own.
 */
export async function checkClosed(visit: Visit, asked: string | null, isMeant = (_: ClosedMembership) => true) {
  const { site, session } = visit;
  const all = await closedMembershipsOf(site.core, session);
  const closed = all.filter((one) => (asked === null || one.tenantId === asked) && isMeant(one));
  const isOfAnother = asked !== null && session.tenantId !== null && session.tenantId !== asked;
  if (closed.length > 0 || isOfAnother) throw new ClosedToSignIn(visit, closed);
}

/** Does `work`. What it does not find may be of a workspace that is closed to the sign-in: that is said then. */
export async function openOrClosed<T>(visit: Visit, work: Promise<T>) {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") await checkClosed(visit, null);
    throw error;
  }
}

/** The workspaces of a person that their sign-in does not open, with the way there, and on to `next`. */
export async function closedNote({ site, session }: Pick<Visit, "site" | "session">, next: string | null = null) {
  return (await closedMembershipsOf(site.core, session)).map((one) => asksFor(one, next));
}

function asksFor({ tenantId, name, lacksFactor }: ClosedMembership, goingTo: string | null) {
  const next = goingTo ?? withQuery("/", { [WORKSPACE]: tenantId });
  if (lacksFactor)
    return warning([
      `${name} asks for a second factor. `,
      link(withQuery(FACTOR_PATH, { next }), "Set one up to see it"),
    ]);
  const organisation = withQuery(ORGANISATION_PATH, { [WORKSPACE]: tenantId, next });
  return warning([`${name} takes no passwords. `, link(organisation, "Sign in with your organisation")]);
}
