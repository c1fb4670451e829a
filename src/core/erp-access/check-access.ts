import { ErpError, type ErpErrorKind } from "../../gateways/erp/gateway.ts";
import { type ErpProvider, type ErpSettings, erpGateway } from "../../gateways/erp/index.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import { costlyWork } from "../gate/costly-work.ts";
import { type ErrorDetail, ServiceError } from "../kernel/error.ts";
import { MEANING_OF_CONTACT } from "./connection-status.ts";

/** Whether a connection that the ERP rejects is refused or kept, and the caller's signal. */
interface Asking {
  readonly check: "refuse" | "keep";
  readonly signal: AbortSignal | undefined;
}

/** How the ERP answered. */
interface SeenAccess {
  readonly status: ErpConnectionRow["status"];
  /** Why it cannot be used; null when it can. */
  readonly problem: ErrorDetail | null;
}

/** For an ERP that was not asked. */
export const NOT_ASKED: SeenAccess = { status: "connected", problem: null };

/** A person waits for the answer: a slower ERP counts as unreachable. */
const PATIENCE_MS = 20_000;
/** Reading an invoice needs the same access as a pull; whether this id exists does not matter. */
const SOME_INVOICE = "1";

/** What an ERP answers may be long: those of one workspace take little from the others. */
const inTurn = costlyWork({
  ...{ concurrency: 16, ofSource: 2, leavesRoom: true, waitingOfSource: 8, sources: 100 },
  tooMuch: "Other ERPs of this workspace are being asked. Try again in a moment.",
  retryAfterSeconds: 10,
});

/**
 * Reads an invoice from the ERP as the user that will pull. Throws `validation_failed` naming the address or the password,
 * unless `check` is `keep`, and `rate_limit_exceeded` where too many of the workspace's wait.
 */
export const checkErpAccess = (tenantId: string, provider: ErpProvider, settings: ErpSettings, asking: Asking) =>
  inTurn(tenantId, () => askErp(provider, settings, asking));

async function askErp(provider: ErpProvider, settings: ErpSettings, { check, signal }: Asking) {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  let seen = NOT_ASKED;
  try {
    const gateway = erpGateway(provider, settings);
    const options = { signal: signal === undefined ? patience : AbortSignal.any([signal, patience]) };
    await Array.fromAsync(gateway.findInvoices([SOME_INVOICE], options));
  } catch (error) {
    if (error instanceof ErpError) seen = refusedBy(error);
    else if (!patience.aborted || signal?.aborted) throw error;
    else seen = { status: statusOfNew("erp_unreachable"), problem: TOO_SLOW };
  }
  if (seen.problem === null || check === "keep") return seen;
  const nothingSaved = "The ERP was asked, and nothing was saved.";
  throw new ServiceError("validation_failed", nothingSaved, { details: [seen.problem] });
}

const TOO_SLOW: ErrorDetail = { field: "url", message: `did not answer within ${PATIENCE_MS / 1_000} seconds` };

/** A new connection is taken to work until the ERP says otherwise. */
function statusOfNew(failure: ErpErrorKind) {
  return MEANING_OF_CONTACT[failure].status ?? NOT_ASKED.status;
}

const PROBLEMS: Readonly<Record<ErpErrorKind, ErrorDetail>> = {
  authentication_failed: { field: "password", message: "is not taken" },
  erp_unreachable: { field: "url", message: "leads to no ERP that answers now" },
  erp_rejected: { field: "url", message: "leads to something that does not answer as this ERP does" },
};

function refusedBy({ kind, publicMessage }: ErpError): SeenAccess {
  const { field, message } = PROBLEMS[kind];
  return {
    status: statusOfNew(kind),
    problem: { field, message: `${message}: ${publicMessage.slice(0, -1)}` },
  };
}
