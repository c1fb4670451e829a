import { randomUUID } from "node:crypto";
import type { Core } from "../src/core/gate/dependencies.ts";
import { systemClock } from "../src/core/kernel/calendar.ts";
import { Secrets } from "../src/core/kernel/secrets.ts";
import { paymentProviders } from "../src/core/provider-access/payment-providers.ts";
import type { Store } from "../src/store/store.ts";
import { FLEET_KEY } from "../test/support/fleet.ts";
import { type Location, openAt } from "../test/support/location.ts";
import { Mailing } from "./mailing.ts";
import { makeTenant, type Tenant, type TenantOptions, WEBHOOK_SECRET } from "./tenant.ts";

/** Everybody around the service, and the store it stands on. */
export interface World {
  readonly tenants: [Tenant, ...Tenant[]];
  /** A workspace beside them that mails its customers. */
  readonly mailing: Mailing;
  readonly environment: Readonly<Record<string, string>>;
  /** Where a tenant's provider tells of payments: behind the service's address, whichever it is. */
  tellAt(origin: string): void;
  /** Looks into the store beside the service; on the embedded one, once the service has ended. */
  withCore<T>(look: (core: Core) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface WorldOptions extends TenantOptions {
  readonly tenants?: number;
}

/** What bounds the pools of a run that looks on. */
const LOOKING_ON = { poolSize: 4 };

function coreOf(store: Store): Core {
  const secrets = new Secrets(FLEET_KEY);
  const silent = (): void => undefined;
  const payments = paymentProviders({ secrets, clock: systemClock, sandboxAt: null });
  const log = { info: silent, warn: silent, error: silent };
  return { store, clock: systemClock, newId: randomUUID, secrets, log, payments };
}

/** Makes a world on an empty store: tenants with a pulled book each, whose parts nobody has asked a payment for yet. */
export async function makeWorld(location: Location, options: WorldOptions): Promise<World> {
  const { idOf } = options;
  const store = await openAt(location, LOOKING_ON);
  const tenants: Tenant[] = [];
  let mailing: Mailing;
  try {
    const core = coreOf(store);
    for (let n = 0; n < (options.tenants ?? 3); n += 1) tenants.push(await makeTenant(core, n, options));
    mailing = await Mailing.make(core, tenants.length, idOf === undefined ? {} : { idOf });
  } finally {
    await store.close();
  }
  const [first, ...rest] = tenants;
  if (first === undefined) throw new Error("a world has a tenant");
  const close = async (): Promise<void> => {
    await Promise.all([...tenants.flatMap(({ erp, stripe }) => [erp.close(), stripe.close()]), mailing.close()]);
  };
  const place = "dataDir" in location ? { DATA_DIR: location.dataDir } : { DATABASE_URL: location.databaseUrl };
  return {
    tenants: [first, ...rest],
    mailing,
    environment: { ...place, SMTP_URL: mailing.smtpUrl },
    tellAt(origin) {
      for (const { stripe, integrationId } of tenants)
        stripe.setWebhook({ url: `${origin}/webhooks/stripe/${integrationId}`, secret: WEBHOOK_SECRET });
    },
    async withCore(look) {
      const opened = await openAt(location, LOOKING_ON);
      try {
        return await look(coreOf(opened));
      } finally {
        await opened.close();
      }
    },
    close,
  };
}
