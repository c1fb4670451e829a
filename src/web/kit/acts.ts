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
  const { code, httpStatus: status, message, details = [] } = error;
  return {
    code,
    status,
    message: inPageWords(message),
    details: details.map((detail) => ({ field: detail.field, message: inPageWords(detail.message) })),
  };
}

const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const WORDS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(` Live now: ${ID}(?:, ${ID})*\\.`, "g"), ""],
  [new RegExp(` of payment ${ID}`, "g"), ""],
  [new RegExp(`\\bPayment link ${ID}`, "g"), "This payment link"],
  [new RegExp(`\\bpayment link ${ID}`, "g"), "this payment link"],
  [new RegExp(`\\bTask ${ID}`, "g"), "This task"],
];

/** Without the ids that callers of the API need, and people on the page of the thing do not. */
function inPageWords(message: string): string {
  return WORDS.reduce((words, [pattern, plain]) => words.replace(pattern, plain), message);
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
