import { randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import { operate } from "../../src/core/gate/operator.ts";
import type { Store } from "../../src/store/store.ts";
import { insertRows, installmentRow, invoiceRow } from "../../test/support/book.ts";
import { insertLinks } from "../../test/support/emailed-links.ts";
import { answerEndless, ENDLESS, type Endless } from "../../test/support/endless-erp.ts";
import { everyRow } from "../../test/support/every-row.ts";
import { integrationRow, linkRow, paymentRow } from "../../test/support/furnish.ts";
import { askRest } from "../ask.ts";
import { type Kind, onPostgres, type Scene } from "../kind.ts";
import { Tally } from "../tally.ts";
import { watch } from "../watch.ts";
import type { World } from "../world.ts";

const MIB = 1_048_576;
const DRIP_MS = 200;
const AT_ONCE = 4;
const WORKSPACES = 3;
/** Held payments of each, whose receipts are pushed one by one. */
const PAYMENTS = 250;
/** An endless book meets its bound within the test, again and again. */
const MAX_INVOICES = "20000";
const PRELOAD = new URL("../../test/support/silent-dns.ts", import.meta.url).href;

type Way = (response: ServerResponse, url: URL) => void;

const gzipped = (text: string): Way => {
  const bytes = gzipSync(text);
  return (response) => {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" });
    response.end(bytes);
  };
};

/** An item of a thousand values, within every limit. */
const wide = (): string => JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`key ${n}`, n])));

/** How ERPs answer that mean harm, by the first part of their address. */
const WAYS: Readonly<Record<string, Way>> = {
  numbers: gzipped(`{"items":[[0${",0".repeat(30 * MIB)}]]}`),
  objects: gzipped(`{"items":[{}${",{}".repeat(10 * MIB)}]}`),
  items: gzipped(`{"items":[{"a":1}${',{"a":1}'.repeat(900_000)}],"hasMore":false}`),
  just: gzipped(`{"items":[${Array.from({ length: 990 }, wide).join(",")}],"hasMore":false}`),
  depth: gzipped("[".repeat(8 * MIB)),
  text: gzipped(`{"items":["${"x".repeat(200 * MIB)}"]}`),
  size(response) {
    const piece = Buffer.alloc(64 * 1024, " ");
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", more);
    more();
  },
  drip(response) {
    response.writeHead(200, { "Content-Type": "application/json" });
    const timer = setInterval(() => response.write(" "), DRIP_MS);
    response.once("close", () => clearInterval(timer));
  },
  silent: () => undefined,
  ...Object.fromEntries(ENDLESS.map((endless): [string, Way] => [endless, endlessly(endless)])),
};

/** Goes on without end, in the form of the resource: a schedule, the book, accounts, receipts. */
function endlessly(endless: Endless): Way {
  return (response, url) => answerEndless(endless, url, response);
}

interface Hostile {
  readonly tenantId: string;
  readonly key: string;
  readonly connections: [string, ...string[]];
  /** The connection whose receipts are endless, and the payments whose receipts go there. */
  readonly receipts: string;
  readonly held: string[];
}

/** Payments of an invoice that is pulled from the connection; their receipts are held. */
async function holdPayments(store: Store, tenantId: string, connectionId: string): Promise<string[]> {
  const from = { connection_id: connectionId, erp_invoice_id: "1", customer_number: "1", business_unit: "Hostile" };
  const invoice = invoiceRow(tenantId, from);
  const installment = installmentRow(tenantId, invoice.invoice_id, { erp_installment_id: "1" });
  const integration = integrationRow(tenantId);
  const { payment_integration_id: integrationId } = integration;
  const link = linkRow(installment, integrationId, { state: "paid", paid_at: installment.created_at });
  const payments = Array.from({ length: PAYMENTS }, (_, n) =>
    paymentRow(link, {
      ...{ erp_push_status: "held", connection_id: connectionId },
      provider_payment_id: `payment ${n}`,
    }),
  );
  await store.write(tenantId, async (tx) => {
    await insertRows(tx, { invoices: [invoice], installments: [installment] });
    await tx.insertInto("payment_integrations").values(integration).execute();
    await insertLinks(tx, [link]);
    await tx.insertInto("payments").values(payments).execute();
  });
  return payments.map((payment) => payment.payment_id);
}

/** How the pushes of hostile workspaces ended, by status. */
function pushesOf(world: World, hostile: readonly Hostile[]): Promise<Map<string, number>> {
  return world.withCore(async ({ store }) => {
    const counts = new Map<string, number>();
    for (const { tenantId } of hostile) {
      const found = await store.read(tenantId, (tx) =>
        tx.selectFrom("payments").select("erp_push_status").where("tenant_id", "=", tenantId).execute(),
      );
      for (const { erp_push_status: status } of found)
        if (status !== null && status !== "held") counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    return counts;
  });
}

/** Workspaces whose every ERP is hostile, beside the others. */
function makeHostile(world: World, erp: string): Promise<[Hostile, ...Hostile[]]> {
  return world.withCore(async (core) => {
    const made: Hostile[] = [];
    for (let n = 0; n < WORKSPACES; n += 1) {
      const id = randomUUID();
      const tenant = { tenant_id: id, name: `Hostile ${n}`, timezone: "UTC", api_access: true, assistant_access: true };
      const row = { ...tenant, created_at: core.clock.now().toISOString() };
      await everyRow(core.store, (tx) => tx.insertInto("tenants").values(row).execute());
      const { key } = await operate(core, id, createApiKey, { name: "hostile", permission: "admin" });
      const connect = async (url: string): Promise<string> => {
        const login = { username: "integration", password: "a password" };
        const input = { provider: "oracle_fusion", url, ...login, autoSync: false } as const;
        return (await operate(core, id, connectErp, input)).id;
      };
      const connections: [string, ...string[]] = [await connect(`http://erp-${n}.never-answers.net`)];
      let receipts = "";
      for (const way of Object.keys(WAYS)) {
        const connectionId = await connect(`${erp}/${way}`);
        connections.push(connectionId);
        if (way === "receipts") receipts = connectionId;
      }
      made.push({ tenantId: id, key, connections, receipts, held: await holdPayments(core.store, id, receipts) });
    }
    const [first, ...rest] = made;
    if (first === undefined) throw new Error("there is somebody hostile");
    return [first, ...rest];
  });
}

/** Asks for pulls and pushes, some at once, while the load goes on. */
async function pressOn(
  { fleet, load, random }: Pick<Scene, "fleet" | "load" | "random">,
  hostile: readonly [Hostile, ...Hostile[]],
  requests: number,
): Promise<{ pulls: number; pushes: number }> {
  const asker = { tally: new Tally(), marker: "", foreign: [] };
  let asked = 0;
  const done = { pulls: 0, pushes: 0 };
  const act = async (): Promise<void> => {
    while (asked < requests) {
      asked += 1;
      if (!load.over) await load.further(AT_ONCE);
      const { key, connections, receipts, held } = random.pick(hostile);
      const id = random.pick(connections);
      const payment = id === receipts ? held.pop() : undefined;
      const [path, json] =
        payment === undefined
          ? [`/v1/erp-connections/${id}/sync`, {}]
          : ["/v1/payments/push-held", { payment_ids: [payment] }];
      const headers = { "Idempotency-Key": randomUUID() };
      const answer = await askRest(asker, `${fleet.url}${path}`, { key, json, headers });
      if (answer.ok === true) done[payment === undefined ? "pulls" : "pushes"] += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, act));
  return done;
}

/** ERPs that mean harm: what they do to one workspace must not be felt in another. */
export default {
  name: "hostile-erp",
  does: "ERPs of other workspaces flood, nest, drip, bomb, hang and never end, in a DNS that never answers too; two processes",
  async run(options) {
    const dns = createSocket("udp4");
    dns.bind(0, "127.0.0.1");
    await once(dns, "listening");
    let answers = 0;
    const erp = createServer((request, response) => {
      answers += 1;
      response.on("error", () => undefined);
      const { url: asked = "/" } = request;
      WAYS[asked.split(/[/?]/)[1] ?? ""]?.(response, new URL(asked, "http://erp"));
    });
    erp.listen(0, "127.0.0.1");
    await once(erp, "listening");
    const address = erp.address();
    const erpUrl = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    try {
      return await onPostgres(options, {
        size: 2,
        preload: PRELOAD,
        environment: { SILENT_DNS: `127.0.0.1:${dns.address().port}`, MAX_INVOICES_PER_WORKSPACE: MAX_INVOICES },
        async disturb({ fleet, world, load, random, tally }) {
          const hostile = await makeHostile(world, erpUrl);
          const watching = watch(fleet, tally);
          const { pulls, pushes } = await pressOn({ fleet, load, random }, hostile, options.requests);
          await watching.end();
          const ended = await pushesOf(world, hostile);
          tally.notes.push(
            `${options.requests} pulls and pushes asked for, ${pulls} pulls begun, ${answers} hostile answers`,
            `${pushes} receipts pushed where receipts are endless: ${JSON.stringify(Object.fromEntries(ended))}`,
          );
          if (pushes > 0 && !ended.has("failed")) tally.breach("no push met the bound on receipts");
        },
      });
    } finally {
      dns.close();
      erp.closeAllConnections();
      erp.close();
    }
  },
} satisfies Kind;
