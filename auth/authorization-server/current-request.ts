import Provider from "oidc-provider";

/** The request the library is working on: its source address, and its client once that is known. */
export interface CurrentRequest {
  address: string | undefined;
  client: { clientId: string; jwksUri?: string | undefined } | undefined;
}

/** All undefined outside the library's own requests, as on our pages. */
export function currentRequest(): CurrentRequest {
  const ctx = Provider.ctx;
  return { address: ctx?.ip, client: ctx?.oidc.client };
}
