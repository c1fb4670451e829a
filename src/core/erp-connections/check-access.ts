import { ErpError } from "../../gateways/erp/gateway.ts";
import { connectErp, type ErpProvider, type ErpSettings } from "../../gateways/erp/index.ts";
import { type ErrorDetail, ServiceError } from "../error.ts";

/** An ERP is asked before its connection is kept; who asks may give up by the signal. */
export interface AccessCheck {
  readonly signal: AbortSignal;
}

/** Somebody waits for the answer: an ERP that takes longer counts as one that cannot be reached. */
const PATIENCE_MS = 20_000;
/** Asking for any invoice needs all that a pull does; whether there is one of this id does not matter. */
const SOME_INVOICE = "1";

/** Asks an ERP for an invoice, as the user that pulls will. Throws `validation_failed` naming the address or the password. */
export async function checkErpAccess(
  provider: ErpProvider,
  settings: ErpSettings,
  { signal }: AccessCheck,
): Promise<void> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    const gateway = connectErp(provider, settings);
    await gateway.findInvoices([SOME_INVOICE], { signal: AbortSignal.any([signal, patience]) });
  } catch (error) {
    if (error instanceof ErpError) throw unusable(faultOf(error));
    if (!patience.aborted || signal.aborted) throw error;
    throw unusable({ field: "url", message: `did not answer within ${PATIENCE_MS / 1_000} seconds` });
  }
}

function unusable(detail: ErrorDetail): ServiceError {
  return new ServiceError("validation_failed", "The ERP was asked, and nothing was saved.", { details: [detail] });
}

function faultOf({ kind, publicMessage }: ErpError): ErrorDetail {
  const said = publicMessage.replace(/\.$/, "");
  if (kind === "authentication_failed") return { field: "password", message: `is not taken: ${said}` };
  if (kind === "erp_unreachable") return { field: "url", message: `leads to no ERP that answers now: ${said}` };
  return { field: "url", message: `leads to something that does not answer as this ERP does: ${said}` };
}
