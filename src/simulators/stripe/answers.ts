/** What the simulator sends back, as JSON. */
export interface StripeAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface FaultOptions {
  readonly status?: number;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that Stripe would refuse. */
export class StripeFault extends Error {
  readonly answer: StripeAnswer;

  constructor(message: string, options: FaultOptions = {}) {
    super(message);
    const { status = 400, type = "invalid_request_error", code, param, headers = {} } = options;
    this.answer = { status, headers, body: { error: { type, message, code, param } } };
  }
}
