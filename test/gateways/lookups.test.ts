import { createSocket } from "node:dgram";
import { readFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { dnsLookup, LookupsBusy, machineLookup, parseHosts, sharedLookup } from "../../src/gateways/lookups.ts";
import { boundedFetch, fetchBy } from "../../src/gateways/outgoing.ts";
import { type Lookup, publicLookup } from "../../src/gateways/public-address.ts";
import { served } from "../support/served.ts";
import { connect, failure, readAll, simulator } from "./erp/support.ts";

const PUBLIC = [{ address: "93.184.216.34", family: 4 }];
const LOOPBACK = [{ address: "127.0.0.1", family: 4 }];
const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "resolved",
    (error: unknown) => error,
  );

/** A DNS server: answers A questions from `known`, says of "missing" that it does not exist, and is silent on the rest. */
async function dnsServer(known: Readonly<Record<string, string>>): Promise<{ servers: string[]; asked: string[] }> {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (question, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.subarray(at + 1, at + 1 + length).toString());
      at += length + 1;
    }
    const name = labels.join(".").toLowerCase();
    const isA = question.readUInt16BE(at + 1) === 1;
    asked.push(name);
    const ip = known[name];
    if (ip === undefined && !name.startsWith("missing")) return;
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(ip === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(ip !== undefined && isA ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...(ip ?? "").split(".").map(Number)]);
    const answer = [header, question.subarray(12, at + 5), ...(ip !== undefined && isA ? [record] : [])];
    socket.send(Buffer.concat(answer), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  onTestFinished(() => void socket.close());
  return { servers: [`127.0.0.1:${socket.address().port}`], asked };
}

test("[contract.edges.lookups.dead-dns] 25 names whose DNS is silent hold no thread, and no honest name up", async () => {
  const { servers } = await dnsServer({ "honest.example.com": "93.184.216.34" });
  const find = publicLookup(sharedLookup(dnsLookup(servers), { timeoutMs: 1_500 }));
  const hanging = Array.from({ length: 25 }, (_, index) => outcomeOf(find(`n${index}.dead.example.com`)));
  let ended = 0;
  for (const outcome of hanging) void outcome.then(() => (ended += 1));
  expect(await find("honest.example.com")).toEqual(PUBLIC);
  // Files are read by the threads that the system's own look-up would have taken.
  await readFile(import.meta.filename);
  expect(ended).toBe(0);
  for (const outcome of await Promise.all(hanging)) expect(outcome).toMatchObject({ code: "EAI_AGAIN" });
});

test("[contract.edges.lookups.own-share] a share that is used up refuses its own work in time, and remembers failures", async () => {
  const asked: string[] = [];
  const never: Lookup = (hostname) => {
    asked.push(hostname);
    return new Promise(() => {});
  };
  const share = sharedLookup(never, { timeoutMs: 100, concurrency: 2, waiting: 3, rememberMs: 60_000 });
  const outcomes = await Promise.all(["a", "b", "c", "d", "e", "f"].map((name) => outcomeOf(share(name))));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ code: "EAI_AGAIN" });
  expect(outcomes.at(-1)).toBeInstanceOf(LookupsBusy);
  const before = asked.length;
  expect(await outcomeOf(share("a"))).toMatchObject({ code: "ENOTFOUND" });
  expect(asked).toHaveLength(before);
  const other = sharedLookup(async () => PUBLIC, { concurrency: 1 });
  expect(await other("a")).toEqual(PUBLIC);
});

test("one name asked for by many at once is asked for once", async () => {
  const { servers, asked } = await dnsServer({ "honest.example.com": "93.184.216.34" });
  const find = sharedLookup(dnsLookup(servers));
  await Promise.all(Array.from({ length: 20 }, () => find("honest.example.com")));
  await find("honest.example.com");
  // A and AAAA.
  expect(asked).toHaveLength(2);
});

test("operators' names: localhost, the hosts file, the DNS, and the machine's own ways for what that does not know", async () => {
  const { servers } = await dnsServer({ "erp.example.com": "10.0.0.7" });
  const find = machineLookup(dnsLookup(servers));
  expect((await find("localhost")).map(({ address }) => address)).toContain("127.0.0.1");
  expect(await find("erp.example.com")).toEqual([{ address: "10.0.0.7", family: 4 }]);
  expect(await outcomeOf(find("missing.invalid"))).toMatchObject({ code: "ENOTFOUND" });
  expect(parseHosts("10.1.1.1 Erp.corp erp # x\n::1 erp\n# 1.1.1.1 no\nnonsense here\n").get("erp")).toEqual([
    { address: "10.1.1.1", family: 4 },
    { address: "::1", family: 6 },
  ]);
});

test("[contract.edges.erp.person-address] a public name that leads inside gets no request where a person named it", async () => {
  const erp = await simulator();
  const port = new URL(erp.url).port;
  let answers = [PUBLIC, LOOPBACK];
  const rebinding: Lookup = async () => answers.shift() ?? LOOPBACK;
  // What an operator named goes where the name leads.
  expect(await readAll(connect(`http://erp.example.com:${port}`, { lookup: async () => LOOPBACK }))).toEqual([]);
  const before = erp.requests.length;
  const guarded = publicLookup(async () => LOOPBACK);
  const error = await failure(readAll(connect(`http://erp.example.com:${port}`, { reach: "public", lookup: guarded })));
  expect(error.kind).toBe("erp_rejected");
  expect(error.publicMessage).toContain("does not lead to the public internet");
  answers = [LOOPBACK];
  const changing = connect(`http://erp.example.com:${port}`, { reach: "public", lookup: publicLookup(rebinding) });
  expect((await failure(readAll(changing))).kind).toBe("erp_rejected");
  expect(() => connect(`http://127.0.0.1:${port}`, { reach: "public" })).toThrow(/public internet/);
  expect(() => connect(`http://[::1]:${port}`, { reach: "public" })).toThrow(/public internet/);
  expect(erp.requests).toHaveLength(before);
});

test("[contract.edges.issuers.answer-bounds] an answer larger than its bound is not read on, packed or not", async () => {
  const { port } = new URL(await served((_request, response) => response.end("x".repeat(5_000_000))));
  const send = boundedFetch(
    fetchBy(async () => LOOPBACK),
    1_000_000,
  );
  await expect(send(`http://issuer.example.com:${port}`)).rejects.toThrow("larger than 1000000 bytes");
});
