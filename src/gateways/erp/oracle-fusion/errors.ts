import { z } from "zod";
import type { ErpReason } from "../../../erp-reasons.ts";
import { plainLine, quotable } from "../../outside-error.ts";
import { ErpError, type ErpErrorKind } from "../gateway.ts";

const ErrorBody = z.object({
  title: z.string().optional(),
  "o:errorDetails": z
    .array(z.object({ detail: z.string().optional(), "o:errorCode": z.string().optional() }))
    .optional(),
});

/** Removes credentials from a text: some servers repeat the request in an error answer. */
export type Redact = (text: string) => string;

/** What an error answer says, whole: the details of framework version 4's JSON, or the plain text of older ones. */
function messageIn(body: string) {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return body;
  }
  const known = ErrorBody.safeParse(parsed);
  if (!known.success) return body;
  const details = known.data["o:errorDetails"] ?? [];
  const said = details.map((item) => [item["o:errorCode"], item.detail].filter(Boolean).join(": ")).filter(Boolean);
  return said.length > 0 ? said.join("; ") : (known.data.title ?? "");
}

/** The same as options of an ErpError: short for its message, whole beside it. */
function saying(body: string, redact: Redact) {
  const message = plainLine(redact(messageIn(body)));
  return { detail: quotable(message), erpMessage: message === "" ? null : message };
}

/** An answer by which the ERP rejects a request, with a status 4xx other than 401, 403 and 429. */
export class FusionRejection extends ErpError {
  readonly status: number;
  readonly #body: string;

  constructor(status: number, body: string, redact: Redact) {
    super("erp_rejected", { code: "refused", status }, saying(body, redact));
    this.status = status;
    this.#body = body;
  }

  /** Whether its code or its text is like this; which of the two Fusion sends is not documented. */
  says(pattern: RegExp) {
    return pattern.test(this.#body);
  }
}

/** The error for an answer that is not a success. */
export function errorOfStatus({ status, body }: { status: number; body: string }, redact: Redact) {
  const meaning = meaningOf(status);
  if (meaning === undefined) return new FusionRejection(status, body, redact);
  const [kind, reason] = meaning;
  return new ErpError(kind, reason, saying(body, redact));
}

function meaningOf(status: number): [ErpErrorKind, ErpReason] | undefined {
  if (status === 401) return ["authentication_failed", { code: "wrong_password" }];
  if (status === 403) return ["authentication_failed", { code: "not_permitted" }];
  if (status === 429) return ["erp_unreachable", { code: "limiting" }];
  if (status >= 500) return ["erp_unreachable", { code: "failing", status }];
  if (status >= 400) return undefined;
  return ["erp_unreachable", { code: "not_the_erp", what: "a redirect, which is not followed" }];
}

/**
 * The error for a success in another form than the resource is documented to have (completions §7): a proxy's page, a sign-in,
 * nothing at all. The ERP itself was not reached.
 */
export function notTheErp(what: string, detail?: string) {
  return new ErpError("erp_unreachable", { code: "not_the_erp", what }, { detail });
}

/** An answer that breaks what Oracle documents; `what` is in the service's words and names the field. */
export function unusable(what: string) {
  return new ErpError("erp_rejected", { code: "unusable", what });
}

/** By code, or by the text that Oracle documents for it: a receipt of this number, date, amount and customer is there. */
const DUPLICATE = /AR_RCP_DUP_NUM|receipt with this number, date, amount,? and customer already exists/i;

/** A code or text of the ERP, and the reason it stands for. */
type Reason = readonly [pattern: RegExp, reason: ErpReason];

/** Oracle documents no code for it; its texts speak of the accounting (or GL) date and of a period that is not open. */
const CLOSED_PERIOD =
  /(?:accounting|GL)[ _]date.{0,200}(?:not in|period|open|closed)|period.{0,200}(?:not open|closed)|not in an open|AR_[A-Z_]{0,60}GL_DATE/i;

/** The codes and texts that Oracle documents, and for customers the stem of its older interfaces' codes; first that fits. */
const CREATION_REASONS: readonly Reason[] = [
  [/FND_CMN_REQ_ATTRIB_API_SERV/, { code: "missing_field" }],
  [/AR_RAPI_BU_INVALID|AR_BU_NOT_FOUND|business unit is (?:invalid|not valid)/i, { code: "business_unit" }],
  [/AR_BOE_OBSOLETE/, { code: "bill_of_exchange" }],
  [/AR_INVAL_RECEIPT_MTH_ID|receipt method.{0,100} (?:invalid|not valid)/i, { code: "receipt_method" }],
  [/AR_RAPI_CURR_CODE_INVALID|currency(?: code)? is (?:invalid|not valid)/i, { code: "currency" }],
  [/AR_RAPI_CUS|AR_BILL_TO_CUST_NOT_FOUND/, { code: "customer" }],
  [CLOSED_PERIOD, { code: "closed_period" }],
];

/** Texts of applications are not documented: these words are those of Oracle's receipt interfaces. */
const APPLICATION_REASONS: readonly Reason[] = [
  [CLOSED_PERIOD, { code: "closed_period_to_apply" }],
  [/exceeds? the (?:receipt|unapplied)|unapplied amount/i, { code: "less_unapplied" }],
  [/exceeds?|over-?appl|more than the (?:balance|amount due)/i, { code: "less_owed" }],
  [/reversed/i, { code: "reversed_there" }],
  [/not complete|incomplete/i, { code: "invoice_incomplete" }],
  [/currenc/i, { code: "other_currency" }],
  [/customer/i, { code: "other_customer" }],
];

/** Whether the ERP rejected a receipt because it already has it. */
export const isDuplicate = (rejection: FusionRejection) => rejection.says(DUPLICATE);

function knownReason(reasons: readonly Reason[], rejection: FusionRejection) {
  return reasons.find(([pattern]) => rejection.says(pattern))?.[1];
}

/** Why the ERP did not take a receipt, as an error that may be shown. */
export function creationRejected(rejection: FusionRejection) {
  const { erpMessage, status } = rejection;
  const reason = knownReason(CREATION_REASONS, rejection) ?? { code: "receipt_refused", status };
  return new ErpError("erp_rejected", reason, { detail: rejection.message, erpMessage });
}

/** Why the ERP did not apply a receipt, to be shown. */
export function applicationRejection(rejection: FusionRejection): ErpReason {
  const { status } = rejection;
  if (status === 404 || status === 405) return { code: "no_application" };
  return knownReason(APPLICATION_REASONS, rejection) ?? { code: "application_refused", status };
}
