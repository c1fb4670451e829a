import { randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { answerEndless, ENDLESS, type Endless } from "../../test/support/endless-erp.ts";
import { everyRow } from "../../test/support/every-row.ts";
import { askRest } from "../ask.ts";
import { type Kind, onPostgres } from "../kind.ts";
import { Tally } from "../tally.ts";
import { watch } from "../watch.ts";
import type { World } from "../world.ts";

const MIB = 1_048_576;
const DRIP_MS = 200;
const AT_ONCE = 4;
const WORKSPACES = 3;
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
  readonly key: string;
  readonly connections: [string, ...string[]];
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
      for (const way of Object.keys(WAYS)) connections.push(await connect(`${erp}/${way}`));
      made.push({ key, connections });
    }
    const [first, ...rest] = made;
    if (first === undefined) throw new Error("there is somebody hostile");
    return [first, ...rest];
  });
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
          const theirs = new Tally();
          let asked = 0;
          let begun = 0;
          const act = async (): Promise<void> => {
            while (asked < options.requests) {
              asked += 1;
              if (!load.over) await load.further(AT_ONCE);
              const { key, connections } = random.pick(hostile);
              const id = random.pick(connections);
              const asker = { tally: theirs, marker: "", foreign: [] };
              const answer = await askRest(asker, `${fleet.url}/v1/erp-connections/${id}/sync`, { key, json: {} });
              if (answer.ok === true) begun += 1;
            }
          };
          await Promise.all(Array.from({ length: AT_ONCE }, act));
          await watching.end();
          tally.notes.push(`${asked} pulls asked for, ${begun} begun, ${answers} hostile answers`);
        },
      });
    } finally {
      dns.close();
      erp.closeAllConnections();
      erp.close();
    }
  },
} satisfies Kind;
