import { type ErrorCode, type ErrorDetail, ServiceError } from "../../core/kernel/error.ts";
import { ConfirmationNeeded } from "../../core/workflows/plan-schema.ts";
import { html } from "./html.ts";

/** Why an act was not carried out. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  /** A plan that has to be confirmed first. */
  readonly toConfirm: ConfirmationNeeded | null;
}

/** What is said of a form that was carried out under its name with something else in it. */
const SENT_BEFORE = "This form was sent before, with something else in it. Check its outcome before you send it again.";

const ANSWERS = new Set<ErrorCode>([
  "validation_failed",
  "conflict",
  "idempotency_conflict",
  "rate_limit_exceeded",
  "sync_disabled",
  "connection_disconnected",
  "installment_not_collectible",
  "amount_exceeds_available",
  "integration_unavailable",
  "currency_not_supported",
]);

/** An operation's refusal as a page shows it. Rethrows errors that are no answer to a form. */
export function refusalOf(error: unknown) {
  if (!(error instanceof ServiceError) || !ANSWERS.has(error.code)) throw error;
  const { code, httpStatus: status, onPage, details = [] } = error;
  return {
    code,
    status,
    message: code === "idempotency_conflict" ? SENT_BEFORE : onPage,
    toConfirm: error instanceof ConfirmationNeeded ? error : null,
    details: details.map((detail) => ({ ...detail, message: detail.onPage ?? detail.message })),
  };
}

/** What went wrong, above the page or its form: the browser goes there. */
export function refusalNote(refusal: Pick<Refusal, "message"> | null) {
  return refusal === null ? null : html`<p class="alert" role="alert" tabindex="-1" autofocus>${refusal.message}</p>`;
}
