import type { ErpGateway } from "../gateways/erp/gateway.ts";
import type { ConnectGateway } from "./pull-invoices.ts";

/** How long a pull has been waiting for its ERP. */
export class ErpWait {
  #asked = 0;
  /** When the ERP was asked or last answered; of the machine's own time, which nobody sets. */
  #since = 0;

  /** Milliseconds since the ERP last said something while it is asked; 0 while it is not. */
  get silentMs(): number {
    return this.#asked === 0 ? 0 : performance.now() - this.#since;
  }

  async during<T>(asking: Promise<T>): Promise<T> {
    if (this.#asked === 0) this.#since = performance.now();
    this.#asked += 1;
    try {
      return await asking;
    } finally {
      this.#asked -= 1;
      this.#since = performance.now();
    }
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
