import type { ErpGateway, ErpInvoice } from "../gateway.ts";
import { readContacts } from "./contacts.ts";
import { type FusionHttp, fusionHttp, type HttpOptions, httpDefaults } from "./http.ts";
import { completeInvoice, INSTALLMENTS, INVOICES, toFusionInvoice } from "./invoices.ts";
import { type Listing, readRows } from "./paging.ts";
import { fusionReceipts } from "./receipts.ts";

/** Address and user are needed; everything else has a sensible default ({@link httpDefaults}). */
export type OracleFusionOptions = Pick<HttpOptions, "baseUrl" | "username" | "password"> &
  Partial<HttpOptions> & {
    /** Invoices a page, 2 to 499: Fusion caps at 500, and is said to err at the cap itself. */
    readonly pageSize?: number;
    /** Ids in one query, so that its address stays short. */
    readonly idsPerQuery?: number;
  };

const MAX_PAGE_SIZE = 499;
const IDS_PER_QUERY = 100;

type FusionInvoice = ReturnType<typeof toFusionInvoice>;

/**
 * Oracle Fusion Cloud Receivables over REST, framework version 4. One request at a time. Nothing is sent until the
 * first call; throws an ErpError when `baseUrl` is not an http(s) address or carries credentials.
 */
export function oracleFusion(options: OracleFusionOptions): ErpGateway {
  const http = fusionHttp({ ...httpDefaults, ...options });
  const pageSize = Math.max(2, Math.min(options.pageSize ?? MAX_PAGE_SIZE, MAX_PAGE_SIZE));
  const idsPerQuery = options.idsPerQuery ?? IDS_PER_QUERY;

  async function* invoicePages(q: string | null, signal: AbortSignal): AsyncGenerator<ErpInvoice[]> {
    for await (const rows of readRows(http, invoiceListing(q, pageSize), signal)) {
      yield await completed(http, rows, pageSize, signal);
    }
  }

  return {
    async *readInvoicePages({ pullFrom, signal }) {
      const q = pullFrom === null ? null : `TransactionDate >= '${pullFrom.replaceAll("'", "''")}'`;
      for await (const invoices of invoicePages(q, signal)) yield { invoices };
    },

    async findInvoices(erpInvoiceIds, { signal }) {
      const found: ErpInvoice[] = [];
      for (const ids of batches(erpInvoiceIds, idsPerQuery)) {
        const wanted = new Set(ids);
        for await (const invoices of invoicePages(`CustomerTransactionId in (${ids.join(",")})`, signal)) {
          found.push(...invoices.filter((invoice) => wanted.has(invoice.erpInvoiceId)));
        }
      }
      return found;
    },

    async readBillingContacts(erpCustomerIds, { signal }) {
      const contacts = new Map<string, { contactName: string | null; email: string | null }>();
      for (const ids of batches(erpCustomerIds, idsPerQuery)) {
        const wanted = new Set(ids);
        for (const [id, contact] of await readContacts(http, ids, pageSize, signal)) {
          if (wanted.has(id)) contacts.set(id, contact);
        }
      }
      return contacts;
    },

    ...fusionReceipts(http, pageSize, (ids) => batches(ids, idsPerQuery)),
  };
}

function invoiceListing(q: string | null, pageSize: number): Listing<FusionInvoice> {
  return {
    path: INVOICES,
    query: { expand: INSTALLMENTS, ...(q === null ? {} : { q }) },
    idAttribute: "CustomerTransactionId",
    pageSize,
    toRow: toFusionInvoice,
    idOf: (invoice) => invoice.CustomerTransactionId,
  };
}

async function completed(
  http: FusionHttp,
  rows: readonly FusionInvoice[],
  pageSize: number,
  signal: AbortSignal,
): Promise<ErpInvoice[]> {
  const invoices: ErpInvoice[] = [];
  for (const row of rows) invoices.push(await completeInvoice(http, row, pageSize, signal));
  return invoices;
}

/** Distinct ids, `size` to a query. Fusion's are digits only; others are dropped. */
function batches(ids: readonly string[], size: number): string[][] {
  const distinct = [...new Set(ids)].filter((id) => /^\d{1,19}$/.test(id));
  return Array.from({ length: Math.ceil(distinct.length / size) }, (_, index) =>
    distinct.slice(index * size, (index + 1) * size),
  );
}
