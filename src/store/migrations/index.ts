import type { Migration } from "kysely/migration";
import * as receivables from "./001-receivables.ts";
import * as idempotency from "./002-idempotency.ts";
import * as collecting from "./003-collecting.ts";
import * as listIndexes from "./004-list-indexes.ts";
import * as agingRollup from "./005-aging-rollup.ts";
import * as issuers from "./006-issuers.ts";
import * as stepUp from "./007-step-up.ts";
import * as invitations from "./008-invitations.ts";
import * as coveringIndexes from "./009-covering-indexes.ts";
import * as waitingReceipts from "./010-waiting-receipts.ts";
import * as erpInvoiceIds from "./011-erp-invoice-ids.ts";

/** Every migration in order. A landed one is never edited: what changes later is a new file. */
export const migrations: Record<string, Migration> = {
  "001-receivables": receivables,
  "002-idempotency": idempotency,
  "003-collecting": collecting,
  "004-list-indexes": listIndexes,
  "005-aging-rollup": agingRollup,
  "006-issuers": issuers,
  "007-step-up": stepUp,
  "008-invitations": invitations,
  "009-covering-indexes": coveringIndexes,
  "010-waiting-receipts": waitingReceipts,
  "011-erp-invoice-ids": erpInvoiceIds,
};
