/** A rule of a judge that the description does not follow. */
export interface Waiver {
  readonly judge: string;
  readonly rule: string;
  readonly reason: string;
}

/** All there are: at most ten, and each still needed. */
export const WAIVERS: readonly Waiver[] = [
  {
    judge: "Spectral",
    rule: "owasp:api4:2023-string-limit",
    reason:
      "Text of an ERP has the length that it has there: a limit in answers would be invented. Inputs have theirs.",
  },
  {
    judge: "Spectral",
    rule: "owasp:api8:2023-define-cors-origin",
    reason: "The API is for systems, and its answers have no CORS headers: a browser of another origin reads none.",
  },
  {
    judge: "Spectral",
    rule: "owasp:api4:2023-array-limit",
    reason: "Pages are as long as `limit` says, and what else is listed as long as the book. Inputs have their bounds.",
  },
  {
    judge: "Spectral",
    rule: "owasp:api9:2023-inventory-environment",
    reason: "An installation does not know whether people use it for production or for tests.",
  },
  {
    judge: "IBM",
    rule: "ibm-parameter-casing-convention",
    reason: "Path parameters are `{invoiceId}` in the contract; a change of case would rename generated arguments.",
  },
  {
    judge: "IBM",
    rule: "ibm-path-segment-casing-convention",
    reason: "Paths have dashes (`/v1/payment-links`), as URLs usually do, and v1 never renames one.",
  },
  {
    judge: "IBM",
    rule: "ibm-required-array-properties-in-response",
    reason:
      "`totals`, `groups`, `nearest`, `installments` and `details` are there only where they were asked for or apply.",
  },
  {
    judge: "IBM",
    rule: "no-$ref-siblings",
    reason: "OpenAPI 3.1 allows a description beside `$ref`: what a field means differs from what its type is.",
  },
  {
    judge: "IBM",
    rule: "ibm-schema-type-format",
    reason: "What may be null is a named schema or the type `null` of OpenAPI 3.1; the rule knows the types of 3.0.",
  },
  {
    judge: "IBM",
    rule: "ibm-required-enum-properties-in-response",
    reason:
      "Why an invoice cannot be collected is said of one without installments only: of all others each installment says it.",
  },
];
