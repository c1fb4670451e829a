/** How values of an attribute are compared. */
export type AttributeType = "number" | "date" | "text";

/** A REST resource: its name in the path, what identifies an item, and what can be queried and ordered by. */
export interface Resource {
  readonly name: string;
  readonly key: string;
  readonly attributes: Readonly<Record<string, AttributeType>>;
  readonly children: readonly Resource[];
}

const audit = { CreatedBy: "text", CreationDate: "date", LastUpdatedBy: "text", LastUpdateDate: "date" } as const;

/** The payment schedule of an invoice. */
export const installments: Resource = {
  name: "receivablesInvoiceInstallments",
  key: "InstallmentId",
  attributes: {
    InstallmentId: "number",
    InstallmentSequenceNumber: "number",
    InstallmentDueDate: "date",
    OriginalAmount: "number",
    InstallmentBalanceDue: "number",
    AccountedBalanceDue: "number",
    AmountPaid: "number",
    InstallmentAmountAdjusted: "number",
    InstallmentAmountCredited: "number",
    PendingAdjustmentAmount: "number",
    InstallmentStatus: "text",
    DisputeAmount: "number",
    DisputeDate: "date",
    PaymentDaysLate: "number",
    InstallmentClosedDate: "date",
    InstallmentGLClosedDate: "date",
    ExcludeFromCollections: "text",
    ...audit,
  },
  children: [],
};

export const invoiceResource: Resource = {
  name: "receivablesInvoices",
  key: "CustomerTransactionId",
  attributes: {
    CustomerTransactionId: "number",
    TransactionNumber: "text",
    TransactionDate: "date",
    DueDate: "date",
    AccountingDate: "date",
    BillingDate: "date",
    InvoiceCurrencyCode: "text",
    EnteredAmount: "number",
    InvoiceBalanceAmount: "number",
    InvoiceStatus: "text",
    TransactionType: "text",
    TransactionSource: "text",
    BusinessUnit: "text",
    BillToCustomerName: "text",
    BillToCustomerNumber: "text",
    BillToSite: "text",
    BillToPartyId: "number",
    BillToContact: "text",
    PaymentTerms: "text",
    PurchaseOrder: "text",
    CrossReference: "text",
    DocumentNumber: "number",
    ConversionRateType: "text",
    ConversionRate: "number",
    ConversionDate: "date",
    Comments: "text",
    ...audit,
  },
  children: [installments],
};

/** What a receipt says it is for; read by AutoMatch. */
export const remittanceReferences: Resource = {
  name: "remittanceReferences",
  key: "RemittanceReferenceId",
  attributes: {
    RemittanceReferenceId: "number",
    ReceiptMatchBy: "text",
    ReferenceNumber: "text",
    ReferenceAmount: "number",
    CustomerReason: "text",
    CustomerReference: "text",
  },
  children: [],
};

export const receipts: Resource = {
  name: "standardReceipts",
  key: "StandardReceiptId",
  attributes: {
    StandardReceiptId: "number",
    ReceiptNumber: "text",
    BusinessUnit: "text",
    ReceiptMethod: "text",
    ReceiptDate: "date",
    AccountingDate: "date",
    DocumentNumber: "number",
    Amount: "number",
    UnappliedAmount: "number",
    AccountedAmount: "number",
    Currency: "text",
    ConversionRateType: "text",
    ConversionRate: "number",
    ConversionDate: "date",
    State: "text",
    Status: "text",
    CustomerName: "text",
    CustomerAccountNumber: "text",
    CustomerSite: "text",
    RemittanceBankAccountNumber: "text",
    RemittanceBankDepositDate: "date",
    MaturityDate: "date",
    PostmarkDate: "date",
    StructuredPaymentReference: "text",
    Comments: "text",
    ...audit,
  },
  children: [remittanceReferences],
};

/** Customers' account records, on the CRM's base path. */
export const accounts: Resource = {
  name: "accounts",
  key: "PartyId",
  attributes: {
    PartyId: "number",
    PartyNumber: "text",
    OrganizationName: "text",
    PrimaryContactName: "text",
    PrimaryContactEmail: "text",
    ...audit,
  },
  children: [],
};

/** What is served under which base path: `/{base}/resources/{version}/{name}`. */
export const served: Readonly<Record<string, readonly Resource[]>> = {
  fscmRestApi: [invoiceResource, receipts],
  crmRestApi: [accounts],
};
