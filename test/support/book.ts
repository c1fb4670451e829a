import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import type { ApiKeyActor } from "../../src/core/gate/actor.ts";
import { money, sum } from "../../src/core/kernel/money.ts";
import { searchColumns } from "../../src/core/kernel/text.ts";
import { insertWorkspace } from "../../src/core/workspace/workspace-queries.ts";
import { touchInvoices } from "../../src/store/aging/rollup.ts";
import type { Store, Transaction } from "../../src/store/store.ts";
import type { ErpConnectionRow } from "../../src/store/tables/erp.ts";
import type { CustomerRow, InstallmentRow, InvoiceRow } from "../../src/store/tables/invoices.ts";
import type { TenantRow } from "../../src/store/tables/workspace.ts";
import { everyRow } from "./every-row.ts";

/** When everything in a test's book was made, unless it says otherwise. */
export const BOOK_TIME = "2026-03-01T09:00:00.000Z";
/** Most rows of one insert: a statement has 65,535 parameters at most. */
export const BATCH = 500;
let nextErpId = 300_000_000_000_001n;
const erpId = (): string => String(nextErpId++);

export function tenantRow(row: Partial<Insertable<TenantRow>> = {}): Insertable<TenantRow> {
  return {
    tenant_id: randomUUID(),
    name: "Acme Ltd",
    timezone: "UTC",
    api_access: true,
    assistant_access: true,
    created_at: BOOK_TIME,
    ...row,
  };
}

export function connectionRow(tenantId: string, row: Partial<ErpConnectionRow> = {}): ErpConnectionRow {
  return {
    tenant_id: tenantId,
    connection_id: randomUUID(),
    name: null,
    provider: "oracle_fusion",
    status: "connected",
    base_url: "https://erp.example.test",
    address_reach: "any",
    username: "receivables",
    credential: null,
    sync_enabled: true,
    auto_sync_enabled: false,
    auto_sync_interval_minutes: 60,
    pull_invoice_date_from: null,
    pull_contact_name: true,
    payment_push_mode: "automatic",
    apply_mode: "rest_action",
    receipt_method: "Payment Link",
    last_sync_at: BOOK_TIME,
    last_successful_sync_at: BOOK_TIME,
    ...{ unreachable_runs: 0, status_since: null },
    created_at: BOOK_TIME,
    ...row,
  };
}

/** What a test says of a customer; `number` where there is one. */
type GivenCustomer = Partial<CustomerRow> & { number?: string | null };

export function customerRow(tenantId: string, connectionId: string, given: GivenCustomer = {}): CustomerRow {
  const { number = "1001", ...row } = given;
  const { name = "Globex" } = row;
  return {
    tenant_id: tenantId,
    customer_id: randomUUID(),
    connection_id: connectionId,
    erp_customer_id: erpId(),
    numbers: number,
    name,
    contact_name: null,
    email: "billing@globex.example.test",
    email_override: null,
    ...searchColumns(name, number),
    created_at: BOOK_TIME,
    ...row,
  };
}

/** An open invoice of 100.00 USD; from the ERP when a connection is named, else local. */
export function invoiceRow(tenantId: string, row: Partial<InvoiceRow> = {}): InvoiceRow {
  const { connection_id = null, customer_name = null, customer_number = null, invoice_number = "INV-1" } = row;
  return {
    tenant_id: tenantId,
    invoice_id: randomUUID(),
    origin: connection_id === null ? "local" : "erp",
    connection_id,
    erp_invoice_id: connection_id === null ? null : erpId(),
    invoice_number,
    currency: "USD",
    total_amount: "100.00",
    erp_invoice_open_balance: connection_id === null ? null : "100.00",
    invoice_date: "2026-02-01",
    due_date: null,
    payment_terms: null,
    business_unit: null,
    finalised: true,
    customer_id: null,
    customer_number,
    customer_name,
    customer_site: null,
    contact_name: null,
    customer_email: null,
    ...searchColumns(customer_name, customer_number, invoice_number),
    content_hash: null,
    last_synced_at: connection_id === null ? null : BOOK_TIME,
    missing_since: null,
    retired_at: null,
    collection_status: "open",
    collection_outstanding: "100.00",
    amount_collected: "0",
    collection_due_date: null,
    not_collectible_reason: null,
    erp_push_state: null,
    has_held_payment: false,
    has_active_payment_link: false,
    has_installments: false,
    created_at: BOOK_TIME,
    updated_at: BOOK_TIME,
    ...row,
  };
}

/** A collectible installment of 100.00; one with a reason not to be is not. */
export function installmentRow(tenantId: string, invoiceId: string, row: Partial<InstallmentRow> = {}): InstallmentRow {
  const { original_amount = "100.00", erp_outstanding = original_amount } = row;
  return {
    tenant_id: tenantId,
    installment_id: randomUUID(),
    invoice_id: invoiceId,
    erp_installment_id: null,
    sequence_number: 1,
    due_date: "2026-03-31",
    original_amount,
    erp_outstanding,
    closed: false,
    closed_on: null,
    disputed: false,
    excluded: false,
    removed_at: null,
    collection_outstanding: erp_outstanding ?? "0",
    collectible: (row.not_collectible_reason ?? null) === null,
    not_collectible_reason: null,
    created_at: BOOK_TIME,
    withdrawn_by_person_at: null,
    withdrawn_by_person_amount: null,
    ...row,
  };
}

/** Rows to insert, each kind after what it refers to. */
export interface Rows {
  erp_connections?: readonly ErpConnectionRow[];
  customers?: readonly CustomerRow[];
  invoices?: readonly InvoiceRow[];
  installments?: readonly InstallmentRow[];
}

export async function insertRows(tx: Transaction, rows: Rows): Promise<void> {
  const { erp_connections = [], customers = [], invoices = [], installments = [] } = rows;
  for (const batch of batches(erp_connections)) await tx.insertInto("erp_connections").values(batch).execute();
  for (const batch of batches(customers)) await tx.insertInto("customers").values(batch).execute();
  for (const batch of batches(invoices)) await tx.insertInto("invoices").values(batch).execute();
  for (const batch of batches(installments)) await tx.insertInto("installments").values(batch).execute();
  touchInvoices(
    tx,
    [...invoices, ...installments].map((row) => row.invoice_id),
  );
}

function* batches<T>(rows: readonly T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += BATCH) yield rows.slice(start, start + BATCH);
}
/** An invoice for a book; its customer is a row the book made, or its own display fields. */
type InvoiceOf = Partial<InvoiceRow> & { customer?: CustomerRow };
/** As many installments as were asked for. */
type RowOfEach<Parts extends readonly unknown[]> = { -readonly [Index in keyof Parts]: InstallmentRow };

/** A workspace with one ERP connection, in a store, to put customers and invoices into. */
export interface Book {
  readonly tenantId: string;
  readonly connectionId: string;
  /** May read everything and change nothing. */
  readonly reader: ApiKeyActor;
  customer(row?: GivenCustomer): Promise<CustomerRow>;
  /** From the book's connection, unless its origin is `local`; its figures follow from its installments. */
  invoice<const Parts extends readonly Partial<InstallmentRow>[] = []>(
    row?: InvoiceOf,
    installments?: Parts,
  ): Promise<{ invoice: InvoiceRow; installments: RowOfEach<Parts> }>;
  insert(rows: Rows): Promise<void>;
}

/** Makes a workspace of its own in the store. */
export async function openBook(store: Store, row: Partial<Insertable<TenantRow>> = {}): Promise<Book> {
  const tenant = tenantRow(row);
  const { tenant_id: tenantId } = tenant;
  const connection = connectionRow(tenantId);
  const { connection_id: connectionId } = connection;
  const insert = (rows: Rows): Promise<void> => store.write(tenantId, (tx) => insertRows(tx, rows));
  await everyRow(store, (tx) => insertWorkspace(tx, tenant));
  await insert({ erp_connections: [connection] });
  return {
    tenantId,
    connectionId,
    reader: { kind: "api_key", tenantId, keyId: randomUUID(), permission: "readonly" },
    insert,
    async customer(customer) {
      const made = customerRow(tenantId, connectionId, customer);
      await insert({ customers: [made] });
      return made;
    },
    invoice,
  };

  function invoice<const Parts extends readonly Partial<InstallmentRow>[]>(
    row?: InvoiceOf,
    parts?: Parts,
  ): Promise<{ invoice: InvoiceRow; installments: RowOfEach<Parts> }>;
  async function invoice({ customer, ...given }: InvoiceOf = {}, parts: readonly Partial<InstallmentRow>[] = []) {
    const invoice = invoiceRow(tenantId, {
      ...(given.origin === "local" ? {} : { connection_id: connectionId }),
      ...(customer === undefined ? {} : shownOn(customer)),
      has_installments: parts.length > 0,
      ...given,
    });
    const installments = parts.map((part, index) =>
      installmentRow(tenantId, invoice.invoice_id, { sequence_number: index + 1, ...part }),
    );
    if (parts.length > 0 && given.collection_outstanding === undefined) {
      const live = installments.filter((installment) => installment.removed_at === null);
      invoice.collection_outstanding = sum(live.map((one) => money(one.collection_outstanding))).toFixed();
    }
    await insert({ invoices: [invoice], installments });
    return { invoice, installments };
  }
}

/** The fields of an invoice that show its customer. */
export function shownOn(customer: CustomerRow): Partial<InvoiceRow> {
  return {
    customer_id: customer.customer_id,
    customer_number: customer.numbers?.split("\n")[0] ?? null,
    customer_name: customer.name,
    contact_name: customer.contact_name,
    customer_email: customer.email_override ?? customer.email,
  };
}
