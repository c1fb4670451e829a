import { ErpError } from "../../gateways/erp/gateway.ts";
import { type ErpProvider, type ErpSettings, erpGateway } from "../../gateways/erp/index.ts";
import { type ErrorDetail, ServiceError } from "../gate/error.ts";

/** Whether a connection that the ERP rejects is refused or kept, and the caller's signal. */
interface Asking {
  readonly check: "refuse" | "keep";
  readonly signal: AbortSignal | undefined;
}

/** How the ERP answered. */
interface SeenAccess {
  readonly status: "connected" | "requires_reauthentication" | "temporarily_unavailable";
  /** Why it cannot be used; null when it can. */
  readonly problem: ErrorDetail | null;
}

/** For an ERP that was not asked. */
export const NOT_ASKED: SeenAccess = { status: "connected", problem: null };

/** A person waits for the answer: a slower ERP counts as unreachable. */
const PATIENCE_MS = 20_000;
/** Reading an invoice needs the same access as a pull; whether this id exists does not matter. */
const SOME_INVOICE = "1";

/**
 * Reads an invoice from the ERP as the user that will pull. Throws `validation_failed` naming the address or the password,
 * unless `check` is `keep`.
 */
export async function checkErpAccess(
  provider: ErpProvider,
  settings: ErpSettings,
  { check, signal }: Asking,
): Promise<SeenAccess> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  let seen: SeenAccess = { status: "connected", problem: null };
  try {
    const gateway = erpGateway(provider, settings);
    await gateway.findInvoices([SOME_INVOICE], {
      signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
    });
  } catch (error) {
    if (error instanceof ErpError) seen = refusedBy(error);
    else if (!patience.aborted || signal?.aborted) throw error;
    else seen = { status: "temporarily_unavailable", problem: TOO_SLOW };
  }
  if (seen.problem === null || check === "keep") return seen;
  const nothingSaved = "The ERP was asked, and nothing was saved.";
  throw new ServiceError("validation_failed", nothingSaved, { details: [seen.problem] });
}

const TOO_SLOW: ErrorDetail = { field: "url", message: `did not answer within ${PATIENCE_MS / 1_000} seconds` };

function refusedBy({ kind, publicMessage }: ErpError): SeenAccess {
  const said = publicMessage.replace(/\.$/, "");
  const at = (field: "url" | "password", message: string) => ({ field, message: `${message}: ${said}` });
  if (kind === "authentication_failed")
    return { status: "requires_reauthentication", problem: at("password", "is not taken") };
  if (kind === "erp_unreachable")
    return { status: "temporarily_unavailable", problem: at("url", "leads to no ERP that answers now") };
  return { status: "connected", problem: at("url", "leads to something that does not answer as this ERP does") };
}
