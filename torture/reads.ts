import type { Random } from "../src/simulators/fusion/random.ts";
import type { Callers } from "./callers.ts";
import type { LinkRequests } from "./link-requests.ts";
import type { Tally } from "./tally.ts";
import type { Part, Tenant } from "./tenant.ts";

interface ReadsOptions {
  readonly tenants: readonly Tenant[];
  readonly callers: Callers;
  readonly links: LinkRequests;
  readonly tally: Tally;
  readonly random: Random;
}

/** What is read on both routes, and tries to read what is another tenant's. */
export class Reads {
  readonly #options: ReadsOptions;

  constructor(options: ReadsOptions) {
    this.#options = options;
  }

  async byKey(tenant: Tenant): Promise<void> {
    const { random, links, callers } = this.#options;
    const link = links.answered(tenant, () => true);
    const path = random.pick([
      "/v1/me",
      "/v1/invoices?limit=50",
      `/v1/invoices/${this.#anyPart(tenant).invoiceId}`,
      "/v1/aging/summary",
      "/v1/aging/installments?limit=20",
      "/v1/payments?limit=30",
      ...(link === undefined ? [] : [`/v1/payment-links/${link.linkId}`]),
    ]);
    callers.demand(path, await callers.rest(tenant, path));
  }

  async byTool(tenant: Tenant): Promise<void> {
    const { random, callers } = this.#options;
    const name = random.pick(["get_context", "list_invoices", "summarize_aging", "list_payments"]);
    callers.demand(name, await callers.assistantOf(tenant).call(name, {}));
  }

  /** Somebody asks for what is another tenant's: there is no such thing. */
  async trespass(tenant: Tenant): Promise<void> {
    const { tenants, links, random, callers, tally } = this.#options;
    const other = tenants[(tenants.indexOf(tenant) + 1) % tenants.length];
    if (other === undefined || other === tenant) return;
    const link = links.answered(other, () => true);
    const path =
      link === undefined || random.chance(50)
        ? `/v1/invoices/${this.#anyPart(other).invoiceId}`
        : `/v1/payment-links/${link.linkId}`;
    const asked = await callers.rest(tenant, path);
    if (asked.ok === true || (asked.ok === false && asked.code !== "not_found"))
      tally.count("crossTenant", `${path} was answered`);
  }

  #anyPart(tenant: Tenant): Part {
    const part = tenant.parts[this.#options.random.between(0, tenant.parts.length - 1)];
    if (part === undefined) throw new Error("a tenant has parts");
    return part;
  }
}
