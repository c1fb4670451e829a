import { ERP_BOUNDS } from "../bounds.ts";
import type { BillingContact, ErpGateway } from "../gateway.ts";
import { fusionHttp, type HttpOptions, httpDefaults } from "./http.ts";
import { INVOICE_LISTING, readCompleted, WITH_INSTALLMENTS } from "./invoices.ts";
import { type FusionReading, readRows, readRowsOfIds } from "./paging.ts";
import { fusionReceipts } from "./receipts.ts";
import { anyText, attributesOf, fusionId } from "./schema.ts";

/** Address and user are needed; everything else has a sensible default ({@link httpDefaults}). */
export type OracleFusionOptions = Pick<HttpOptions, "baseUrl" | "username" | "password"> &
  Partial<HttpOptions & Omit<FusionReading, "http">>;

const MAX_PAGE_SIZE = 499;
const IDS_PER_QUERY = 100;

/** Customers' account records live beside the financials, on the CRM's base path. */
const ACCOUNTS = {
  path: "/crmRestApi/resources/11.13.18.05/accounts",
  idAttribute: "PartyId",
  toRow(item: unknown) {
    const of = attributesOf(item, "an account");
    // What is no text counts as none: one account's value is no reason to read no book.
    return {
      id: of("PartyId", fusionId),
      contactName: of("PrimaryContactName", anyText(360)),
      email: of("PrimaryContactEmail", anyText(320)),
    };
  },
  idOf: ({ id }: BillingContact & { id: string }) => id,
};

/** Oracle Fusion Receivables over REST, one request at a time; ErpError for a `baseUrl` that cannot be used. */
export function oracleFusion(options: OracleFusionOptions): ErpGateway {
  const { pageSize = MAX_PAGE_SIZE, idsPerQuery = IDS_PER_QUERY } = options;
  const { installmentsOfInvoice, minutesWithoutProgress } = { ...ERP_BOUNDS, ...options };
  const http = fusionHttp({ ...httpDefaults, ...options });
  const reading = {
    http,
    pageSize: Math.max(2, Math.min(pageSize, MAX_PAGE_SIZE)),
    idsPerQuery,
    installmentsOfInvoice,
    minutesWithoutProgress,
  };

  return {
    readInvoicePages({ pullFrom, signal: given }) {
      const from = pullFrom === null ? {} : { q: `TransactionDate >= '${pullFrom.replaceAll("'", "''")}'` };
      const query = { ...WITH_INSTALLMENTS, ...from };
      return readCompleted(reading, (signal) => readRows(reading, INVOICE_LISTING, query, signal), given);
    },

    findInvoices(ids, { signal: given }) {
      const rows = (signal: AbortSignal) => readRowsOfIds(reading, INVOICE_LISTING, ids, WITH_INSTALLMENTS, signal);
      return readCompleted(reading, rows, given);
    },

    async readBillingContacts(erpCustomerIds, { signal }) {
      const query = { fields: "PartyId,PrimaryContactName,PrimaryContactEmail" };
      const contacts = new Map<string, BillingContact>();
      for await (const accounts of readRowsOfIds(reading, ACCOUNTS, erpCustomerIds, query, signal))
        for (const { id, ...contact } of accounts) contacts.set(id, contact);
      return contacts;
    },

    ...fusionReceipts(reading),
  };
}
