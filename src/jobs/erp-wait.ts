import type { ErpGateway } from "../gateways/erp/gateway.ts";
import type { ConnectGateway } from "./pull-invoices.ts";

/** Each moment of work makes up for so many of waiting: what takes a third of its time for work does not wait. */
const WAITS_PER_WORK = 2;

/** How long a pull has been waiting for its ERP. */
export class ErpWait {
  #asked = 0;
  /** When the ERP was asked or last answered; of the machine's own time, which nobody sets. */
  #since = performance.now();
  /** Waiting of before that, less the work beside it. */
  #waitedMs = 0;
  #hasAnswered = false;

  /** Whether it ever said anything. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Milliseconds that the pull waited beyond what goes with its work: an ERP that sends a little at a time adds them up. */
  get waitedMs(): number {
    const passed = performance.now() - this.#since;
    return Math.max(0, this.#waitedMs + (this.#asked > 0 ? passed : -WAITS_PER_WORK * passed));
  }

  async during<T>(asking: Promise<T>): Promise<T> {
    if (this.#asked === 0) this.#note();
    this.#asked += 1;
    try {
      const answer = await asking;
      this.#hasAnswered = true;
      return answer;
    } finally {
      this.#note();
      this.#asked -= 1;
    }
  }

  #note(): void {
    this.#waitedMs = this.waitedMs;
    this.#since = performance.now();
  }
}

/** The same connector, whose every answer is waited for under `wait`. */
export function waitingUnder(wait: ErpWait, connect: ConnectGateway): ConnectGateway {
  return (provider, settings) => {
    const gateway = connect(provider, settings);
    return {
      readInvoicePages: (options) => pages(gateway.readInvoicePages(options), wait),
      findInvoices: (ids, options) => wait.during(gateway.findInvoices(ids, options)),
      readBillingContacts: (ids, options) => wait.during(gateway.readBillingContacts(ids, options)),
      findReceipt: (number, options) => wait.during(gateway.findReceipt(number, options)),
      createReceipt: (receipt, options) => wait.during(gateway.createReceipt(receipt, options)),
      applyReceipt: (application, options) => wait.during(gateway.applyReceipt(application, options)),
      readReceipt: (id, options) => wait.during(gateway.readReceipt(id, options)),
      readReceipts: (ids, options) => wait.during(gateway.readReceipts(ids, options)),
    };
  };
}

function pages(source: ReturnType<ErpGateway["readInvoicePages"]>, wait: ErpWait): typeof source {
  return {
    [Symbol.asyncIterator]() {
      const iterator = source[Symbol.asyncIterator]();
      return {
        next: () => wait.during(iterator.next()),
        return: async (value) => (await iterator.return?.(value)) ?? { done: true, value },
      };
    },
  };
}
