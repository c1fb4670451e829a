/** What a client is to call. */
export interface Asked {
  /** For the one whose clients are told where the service is; the others know it from the description. */
  readonly baseUrl: string;
  readonly key: string;
  /** An installment of which more is available than is asked for. */
  readonly invoiceId: string;
  readonly installmentId: string;
  readonly connectionId: string;
  /** Names the write, so that it can be sent twice. */
  readonly idempotencyKey: string;
}

/** What the calls came to, as plain values. */
export interface Report {
  /** Of `GET /v1/invoices` with filters: the numbers of a page, and how many there are. */
  readonly listed: readonly (string | null)[];
  readonly total: number | undefined;
  /** The states of the receipts of those, null for an invoice without. */
  readonly states: readonly (string | null)[];
  /** Of `GET /v1/invoices/{invoiceId}`. */
  readonly read: { readonly id: string; readonly installments: number };
  /** Of `POST /v1/payment-links`, and its answer when it was sent again. */
  readonly link: { readonly id: string; readonly amount_minor: number; readonly status: string };
  readonly again: string;
  /** The code of an invoice that does not exist. */
  readonly refusal: string;
  /** Of `POST /v1/payments/push-held` by connection: how many receipts were queued. */
  readonly pushed: number;
}

/** The filters of the list, as the description has them. */
export const FILTERS = { has_available: true, updated_since: "2020-01-01", limit: 5, include_total: true } as const;
export const NO_SUCH_INVOICE = "00000000-0000-4000-8000-000000000000";
export const ONE_UNIT = 100;
