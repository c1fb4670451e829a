/** A request, once its version and credentials are known to be good. */
export interface FusionRequest {
  readonly method: string;
  readonly url: URL;
  readonly frameworkVersion: number;
  readonly contentType: string;
  readonly body: string;
}

/** What the simulator sends back; `body` is written as JSON, text unchanged. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that Fusion would refuse. */
export class FusionFault extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, code = "", headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

/** Framework version 4 and later explain an error as JSON to who asks for it; everyone else gets the plain text. */
export function errorAnswer(fault: FusionFault, frameworkVersion: number, accept: string): Answer {
  const asJson = frameworkVersion >= 4 && /application\/(?:json|vnd\.oracle\.adf\.error\+json)/.test(accept);
  const { status, headers } = fault;
  if (!asJson)
    return { status, body: fault.message, headers: { ...headers, "Content-Type": "text/plain; charset=UTF-8" } };
  return {
    status,
    headers: { ...headers, "Content-Type": "application/vnd.oracle.adf.error+json" },
    body: {
      title: TITLES[status] ?? "Error",
      status: String(status),
      "o:errorDetails": [{ detail: fault.message, "o:errorCode": fault.code, "o:errorPath": "/" }],
    },
  };
}
