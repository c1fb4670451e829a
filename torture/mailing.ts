import type { Core } from "../src/core/gate/dependencies.ts";
import { operate } from "../src/core/gate/operator.ts";
import { enableWorkflow } from "../src/core/workflows/operations/enable-workflow.ts";
import { toItem } from "../src/simulators/fusion/book-invoice.ts";
import type { Random } from "../src/simulators/fusion/random.ts";
import { type Accepted, slowSmtpServer } from "../test/support/slow-smtp-server.ts";
import { BUSINESS_UNIT, makeTenant, partyOf, pull, type Tenant, type TenantOptions } from "./tenant.ts";

/** How long after it was made its first messages go out, at least: the service has started by then. */
const FIRST_AFTER_MS = 60_000;
const MINUTE_MS = 60_000;
const ACCEPT_MS = 25;
const CUSTOMERS = 12;
const BILLED_AT_FIRST = 24;

/**
 * A workspace whose Auto Generate makes links on all that is overdue and mails each customer one message a day with them
 * (completions §7), and the server that takes the mail of all. Nobody else asks for links there, and nobody pays.
 */
export class Mailing {
  readonly tenant: Tenant;
  readonly smtpUrl: string;
  readonly accepted: readonly Accepted[];
  /** When the first messages are due, ISO 8601. */
  readonly firstAt: string;
  readonly #n: number;
  readonly #closeServer: () => Promise<void>;
  #bills = 0;

  private constructor(n: number, tenant: Tenant, server: Awaited<ReturnType<typeof slowSmtpServer>>) {
    const first = Math.ceil((Date.now() + FIRST_AFTER_MS) / MINUTE_MS) * MINUTE_MS;
    this.tenant = tenant;
    this.smtpUrl = server.url;
    this.accepted = server.accepted;
    this.firstAt = new Date(first).toISOString();
    this.#n = n;
    this.#closeServer = server.close;
  }

  /** As the nth workspace of a store, with a book that was pulled. */
  static async make(core: Core, n: number, options: Pick<TenantOptions, "idOf">): Promise<Mailing> {
    const tenant = await makeTenant(core, n, { ...options, parts: 0 });
    const mailing = new Mailing(n, tenant, await slowSmtpServer(() => 0, ACCEPT_MS));
    for (let customer = 0; customer < CUSTOMERS; customer += 1) tenant.erp.putAccounts(mailing.#account(customer));
    for (let bill = 0; bill < BILLED_AT_FIRST; bill += 1) mailing.#bill(bill % CUSTOMERS, 1 + (bill % 2));
    const sendAt = mailing.firstAt.slice("2026-01-01T".length).slice(0, "00:00".length);
    await operate(core, tenant.id, enableWorkflow, {
      type: "auto_generate",
      daysBeforeDue: 0,
      sendAt,
      confirmed: true,
    });
    await pull(core, tenant.id, tenant.connectionId);
    return mailing;
  }

  /** The ERP bills one of the customers, to be pulled. */
  bill(random: Random): void {
    this.#bill(random.between(0, CUSTOMERS - 1), random.between(1, 2));
  }

  async close(): Promise<void> {
    await Promise.all([this.tenant.erp.close(), this.tenant.stripe.close(), this.#closeServer()]);
  }

  #account(customer: number) {
    const email = `ap@c${customer}.${this.tenant.marker.toLowerCase()}.example`;
    return { PartyId: this.#partyOf(customer), PrimaryContactName: "Jo", PrimaryContactEmail: email };
  }

  #partyOf(customer: number): bigint {
    return partyOf(this.#n) + 1n + BigInt(customer);
  }

  #bill(customer: number, installments: number): void {
    const { marker, erp } = this.tenant;
    const bill = this.#bills++;
    const amountMinor = 20_000n + BigInt(bill);
    const parts = Array.from({ length: installments }, (_, month) => ({
      ...{ dueDate: `2026-0${1 + month}-28`, amountMinor, balanceMinor: amountMinor },
    }));
    const head = { id: 300100180000000000n + BigInt(this.#n) * 1_000_000_000n + BigInt(bill) * 100n, terms: null };
    const owedBy = { partyId: this.#partyOf(customer), number: `${marker}-${customer}`, name: `${marker} ${customer}` };
    const facts = { number: `${marker}-${bill}`, customer: owedBy, currency: "USD", date: "2026-01-01" };
    erp.putInvoices(toItem({ ...head, ...facts, installments: parts }, BUSINESS_UNIT));
  }
}
