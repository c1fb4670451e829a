import { type ErrorCode, type ErrorDetail, ServiceError } from "../../core/kernel/error.ts";
import { adminsOnlyView } from "./admin-page.ts";
import { type Html, html } from "./html.ts";
import { parameter, type WorkspaceVisit } from "./workspace-pages.ts";

/** Tells a member that a page or form is for admins. */
export async function adminsOnly(visit: WorkspaceVisit): Promise<void> {
  const body = adminsOnlyView("Only an admin of the workspace can do that");
  visit.show({ title: "For admins only", within: "", narrow: true, body }, 403);
}

/** Why an act was not carried out. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
}

const ANSWERS = new Set<ErrorCode>([
  "validation_failed",
  "conflict",
  "idempotency_conflict",
  "connection_disconnected",
  "installment_not_collectible",
  "amount_exceeds_available",
  "integration_unavailable",
  "currency_not_supported",
]);

/** An operation's refusal as a page shows it. Rethrows errors that are no answer to a form. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ServiceError) || !ANSWERS.has(error.code)) throw error;
  const { code, httpStatus: status, onPage: message, details = [] } = error;
  const inPageWords = ({ onPage, ...detail }: ErrorDetail) => ({ ...detail, message: onPage ?? detail.message });
  return { code, status, message, details: details.map(inPageWords) };
}

/** What went wrong, above the page. */
export function refusalNote(refusal: Pick<Refusal, "message"> | null): Html | null {
  return refusal === null ? null : html`<p class="alert" role="alert">${refusal.message}</p>`;
}

/** What was just done, by the address that a form led to. */
export function doneNote({ visit }: WorkspaceVisit, words: Readonly<Record<string, string>>): Html | null {
  const done = parameter(visit.request, "done") ?? "";
  const said = Object.hasOwn(words, done) ? words[done] : undefined;
  return said === undefined ? null : html`<p class="status" role="status">${said}</p>`;
}
