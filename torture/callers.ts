import { type Asked, type Asker, askRest } from "./ask.ts";
import { Assistant } from "./assistant.ts";
import type { Tally } from "./tally.ts";
import type { Tenant } from "./tenant.ts";
import type { World } from "./world.ts";

interface CallersOptions {
  readonly world: World;
  readonly origin: string;
  readonly tally: Tally;
  /** Whether refresh tokens may run out. */
  readonly mayRunOut: boolean;
}

/** Who calls the service for each tenant: a system by its API key, and the assistant of its admin. */
export class Callers {
  readonly #origin: string;
  readonly #tally: Tally;
  readonly #askers: ReadonlyMap<Tenant, Asker>;
  readonly #assistants: ReadonlyMap<Tenant, Assistant>;

  constructor({ world, origin, tally, mayRunOut }: CallersOptions) {
    this.#origin = origin;
    this.#tally = tally;
    const all = [...world.tenants, world.mailing.tenant];
    this.#askers = new Map(
      all.map((tenant) => [tenant, { tally, marker: tenant.marker, foreign: foreignTo(tenant, all) }]),
    );
    this.#assistants = new Map(
      world.tenants.map((tenant) => [tenant, new Assistant(this.#askerOf(tenant), origin, tenant, { mayRunOut })]),
    );
  }

  /** Signs every assistant in. */
  async connect(): Promise<void> {
    for (const assistant of this.#assistants.values()) await assistant.connect();
  }

  assistantOf(tenant: Tenant): Assistant {
    const assistant = this.#assistants.get(tenant);
    if (assistant === undefined) throw new Error("no such tenant");
    return assistant;
  }

  /** A request of a tenant's system. */
  rest(tenant: Tenant, path: string, json?: object, headers: Record<string, string> = {}): Promise<Asked> {
    return askRest(this.#askerOf(tenant), `${this.#origin}${path}`, {
      key: tenant.key,
      headers,
      ...(json === undefined ? {} : { json }),
    });
  }

  /** Of a request that can only be answered well: whether it was. */
  demand(what: string, asked: Asked): boolean {
    if (asked.ok === false) this.#tally.count("lost", `${what}: ${asked.code}, ${asked.message}`);
    return asked.ok === true;
  }

  #askerOf(tenant: Tenant): Asker {
    const asker = this.#askers.get(tenant);
    if (asker === undefined) throw new Error("no such tenant");
    return asker;
  }
}

/** What a tenant must never read. */
function foreignTo(tenant: Tenant, all: readonly Tenant[]): string[] {
  const others = all.filter((one) => one !== tenant);
  return others.flatMap((one) => [one.id, one.marker, one.connectionId, one.integrationId, one.email]);
}
