import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { machineLookup } from "../../../../src/gateways/lookups.ts";
import { fetchBy } from "../../../../src/gateways/outgoing.ts";
import { served } from "../../../support/served.ts";
import { connect, failure, readAll } from "../support.ts";

test("a request is sent once, though its answer says that the connection was wrong, and another would break off", async () => {
  let asked = 0;
  const url = await served((_request, response) => {
    asked += 1;
    response.writeHead(asked === 1 ? 421 : 200, { "content-length": 100 }).write("{");
    setTimeout(() => response.destroy(), 300);
  });
  const error = await failure(readAll(connect(url)));
  expect([error.kind, asked]).toEqual(["erp_unreachable", 1]);
});

const PACKED = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
test.each([
  ["an answer with more after what was packed by gzip", 200, "gzip"],
  ["one by deflate", 200, "deflate"],
  ["one by br", 200, "br"],
  ["an answer that asks for another proxy", 407, "br"],
  ["an answer that is to have no body, and says that it has one", 205, null],
] as const)("%s leaves no connection behind", async (_name, status, packing) => {
  let left = 0;
  const url = await served((request, response) => {
    left += 1;
    request.socket.on("close", () => (left -= 1));
    response
      .writeHead(status, { "content-encoding": packing ?? "identity", "content-length": 10_000_000 })
      .flushHeaders();
    if (packing === null) return;
    response.write(PACKED[packing]('{"items":[],"hasMore":false}'));
    response.write(Buffer.alloc(200_000, "x"));
  });
  await readAll(connect(url, { timeoutMs: 500 })).catch(() => null);
  await expect.poll(() => left, { timeout: 5_000 }).toBe(0);
});

test("honest packed answers keep their connection", async () => {
  const sockets = new Set();
  const url = await served((request, response) => {
    sockets.add(request.socket);
    const packed = gzipSync(`{"items":[],"hasMore":false${" ".repeat(3_000)}}`);
    response.setHeader("content-encoding", "gzip").write(packed.subarray(0, 20));
    setImmediate(() => response.end(packed.subarray(20)));
  });
  const erp = connect(url);
  for (let request = 0; request < 30; request += 1) expect(await readAll(erp)).toEqual([]);
  expect(sockets.size).toBe(1);
});

test("an answer whose connection ends before it is read ends nothing else", async () => {
  const url = await served((_request, response) => {
    response.setHeader("connection", "close").end("x".repeat(65_536));
  });
  const answer = await fetchBy(machineLookup())(url);
  await sleep(300);
  expect(await answer.text()).toHaveLength(65_536);
});
