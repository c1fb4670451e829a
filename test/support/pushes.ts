import type { Selectable } from "kysely";
import { money } from "../../src/core/kernel/money.ts";
import type { ConnectGateway } from "../../src/jobs/pull-invoices.ts";
import { pushReceipts } from "../../src/jobs/push-receipts.ts";
import type { BookCustomer } from "../../src/simulators/fusion/book-customers.ts";
import { toItem } from "../../src/simulators/fusion/book-invoice.ts";
import type { FusionItem, FusionSimulatorOptions } from "../../src/simulators/fusion/index.ts";
import type { InstallmentRow, InvoiceRow } from "../../src/store/tables/invoices.ts";
import type { PaymentRow } from "../../src/store/tables/payments.ts";
import { recordConfirmedPayment } from "./confirmed-payment.ts";
import { type PullWorld, quickConnect, useFurnished, type usePullWorld } from "./pulls.ts";
import { rowsOf } from "./stored.ts";

const CUSTOMER = { partyId: 300100500000000001n, number: "1006", name: "Globex" };

interface ErpInvoiceOptions {
  readonly currency?: string;
  /** Of each installment. */
  readonly paid?: bigint;
  readonly customer?: BookCustomer;
  /** In whole, each installment. */
  readonly disputed?: boolean;
}

/** An invoice of the ERP, by a short name that is its number: installments of that many minor units each. */
export function erpInvoice(
  name: string,
  parts: readonly bigint[],
  { currency = "USD", paid = 0n, customer = CUSTOMER, disputed = false }: ErpInvoiceOptions = {},
): FusionItem {
  const id = 300100180000000000n + BigInt([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7)) * 100n;
  return toItem(
    {
      id,
      number: name,
      customer,
      currency,
      date: "2026-02-01",
      terms: null,
      installments: parts.map((amountMinor) => ({
        dueDate: "2026-03-31",
        amountMinor,
        balanceMinor: amountMinor - paid,
        ...(disputed ? { disputedMinor: amountMinor } : {}),
      })),
    },
    "Vision Operations",
  );
}

export const DATASET: FusionSimulatorOptions = {
  invoices: [
    erpInvoice("one", [100_000n]),
    erpInvoice("two", [60_000n, 40_000n]),
    erpInvoice("yen", [5_000n], { currency: "JPY" }),
  ],
  accounts: [{ PartyId: CUSTOMER.partyId, PrimaryContactName: "Jo", PrimaryContactEmail: "ap@globex.example" }],
  receiptMethods: ["Payment Link"],
};

export type StoredPayment = Selectable<PaymentRow>;

/** A workspace whose book was pulled once, with what payments and pushes need. */
export interface PushWorld extends PullWorld {
  /** A confirmed payment of an installment, the first when not said, which knows what the ERP showed then. Its id. */
  pay(name: string, amount: string, part?: number): Promise<string>;
  /** Pushes what is due, as one worker would. How many attempts there were. */
  push(options?: Parameters<typeof pushReceipts>[2], connect?: ConnectGateway): Promise<number>;
  payment(id: string): Promise<StoredPayment>;
  payments(): Promise<StoredPayment[]>;
  /** An invoice by its number. */
  invoice(name: string): Promise<InvoiceRow & { installments: InstallmentRow[] }>;
}

/** The same as `usePullWorld`, on a small book that has been pulled. */
export const usePushWorld = (
  open: Parameters<typeof usePullWorld>[0],
  dataset: FusionSimulatorOptions = {},
): PushWorld =>
  useFurnished(open, { ...DATASET, ...dataset }, async (world) => {
    await world.pull();
    return pushWorld(world);
  });

function pushWorld(world: PullWorld): PushWorld {
  const { core, tenantId } = world;
  const rows = () => rowsOf(core.store, tenantId, "payments", {}, "created_at");
  const invoice = async (name: string) => {
    const found = [...(await world.book()).values()].find((row) => row.invoice_number === name);
    if (found === undefined) throw new Error(`no invoice ${name}`);
    return found;
  };
  return {
    ...world,
    invoice,
    async pay(name, amount, part = 0) {
      const { invoice_id: invoiceId, installments } = await invoice(name);
      const installmentId = installments[part]?.installment_id ?? null;
      const payment = { tenantId, invoiceId, installmentId, amount: money(amount) };
      return core.store.write(tenantId, (tx) => recordConfirmedPayment(tx, core, payment));
    },
    push: (options, connect = quickConnect) => pushReceipts(core, connect, options),
    payments: rows,
    async payment(id) {
      const found = (await rows()).find((row) => row.payment_id === id);
      if (found === undefined) throw new Error("no such payment");
      return found;
    },
  };
}
