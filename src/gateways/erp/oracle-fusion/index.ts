import type { BillingContact, ErpGateway, ErpInvoice } from "../gateway.ts";
import { fusionHttp, type HttpOptions, httpDefaults } from "./http.ts";
import { completeInvoice, INVOICE_LISTING, WITH_INSTALLMENTS } from "./invoices.ts";
import { type FusionReading, readRows, readRowsOfIds } from "./paging.ts";
import { fusionReceipts } from "./receipts.ts";
import { Account, checked, type FusionInvoice } from "./schema.ts";

/** Address and user are needed; everything else has a sensible default ({@link httpDefaults}). */
export type OracleFusionOptions = Pick<HttpOptions, "baseUrl" | "username" | "password"> &
  Partial<HttpOptions & Omit<FusionReading, "http">>;

const MAX_PAGE_SIZE = 499;
const IDS_PER_QUERY = 100;

/** Customers' account records live beside the financials, on the CRM's base path. */
export const ACCOUNTS = "/crmRestApi/resources/11.13.18.05/accounts";
const ACCOUNT_LISTING = {
  path: ACCOUNTS,
  idAttribute: "PartyId",
  toRow: (item: unknown) => checked(Account, item, "an account"),
} as const;

/** Oracle Fusion Receivables over REST, one request at a time; ErpError for a `baseUrl` that cannot be used. */
export function oracleFusion(options: OracleFusionOptions): ErpGateway {
  const { pageSize = MAX_PAGE_SIZE, idsPerQuery = IDS_PER_QUERY } = options;
  const http = fusionHttp({ ...httpDefaults, ...options });
  const reading = { http, pageSize: Math.max(2, Math.min(pageSize, MAX_PAGE_SIZE)), idsPerQuery };

  async function completed(rows: readonly FusionInvoice[], signal: AbortSignal): Promise<ErpInvoice[]> {
    const invoices: ErpInvoice[] = [];
    for (const row of rows) invoices.push(await completeInvoice(reading, row, signal));
    return invoices;
  }

  return {
    async *readInvoicePages({ pullFrom, signal }) {
      const from = pullFrom === null ? {} : { q: `TransactionDate >= '${pullFrom.replaceAll("'", "''")}'` };
      for await (const rows of readRows(reading, INVOICE_LISTING, { ...WITH_INSTALLMENTS, ...from }, signal))
        yield { invoices: await completed(rows, signal) };
    },

    async findInvoices(erpInvoiceIds, { signal }) {
      const found: ErpInvoice[] = [];
      for await (const rows of readRowsOfIds(reading, INVOICE_LISTING, erpInvoiceIds, WITH_INSTALLMENTS, signal))
        found.push(...(await completed(rows, signal)));
      return found;
    },

    async readBillingContacts(erpCustomerIds, { signal }) {
      const query = { fields: "PartyId,PrimaryContactName,PrimaryContactEmail" };
      const contacts = new Map<string, BillingContact>();
      for await (const accounts of readRowsOfIds(reading, ACCOUNT_LISTING, erpCustomerIds, query, signal))
        for (const { PartyId, PrimaryContactName: contactName, PrimaryContactEmail: email } of accounts)
          contacts.set(PartyId, { contactName, email });
      return contacts;
    },

    ...fusionReceipts(reading),
  };
}
