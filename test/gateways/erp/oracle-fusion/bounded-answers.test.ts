import type { ServerResponse } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ErpError } from "../../../../src/gateways/erp/gateway.ts";
import { parseLossless } from "../../../../src/gateways/erp/lossless-json.ts";
import { BoundedJson } from "../../../../src/gateways/erp/oracle-fusion/bounded-json.ts";
import { served } from "../../../support/served.ts";
import { answering, connect, failure, readAll, scaled, written } from "../support.ts";

const LIMITS = { values: 100_000, valuesOfItem: 100_000, items: 100_000, depth: 100 };

const jsonText = fc
  .tuple(fc.jsonValue({ noUnicodeString: false }), fc.array(scaled), fc.constantFrom(undefined, 1, "\t"))
  .map(([value, numbers, indent]) => {
    const items = [JSON.stringify(value, null, indent), ...numbers.map(written)];
    return `{"items" : [${items.join(" ,")}], "-1.5e3": "a \\"7\\", \\\\"}`;
  });
const broken = fc
  .tuple(jsonText, fc.nat(), fc.nat(3), fc.stringMatching(/^[-+.\deE:,"\\{}[\] \n]{0,4}$/))
  .map(([text, where, length, put]) => {
    const at = where % (text.length + 1);
    return text.slice(0, at) + put + text.slice(at + length);
  });

/** Reads JSON that comes in pieces of a length, and parses as much in a turn. */
async function readInTurns(text: string, turn?: number, limits = LIMITS): Promise<unknown> {
  const json = new BoundedJson(limits);
  const length = turn ?? text.length;
  for (let at = 0; at < text.length; at += length) json.take(text.slice(at, at + length));
  return json.parse(turn);
}

const asRead = (read: (text: string) => Promise<unknown>, text: string): Promise<unknown> =>
  read(text).then(
    (value) => ({ value }),
    (error: unknown) => error instanceof SyntaxError,
  );

test("reading in turns gives what reading at once gives, each number as its digits", async () => {
  const anyText = fc.oneof(jsonText, broken, fc.stringMatching(/^[-+.\deE:,"\\{}[\] ]*$/));
  await fc.assert(
    fc.asyncProperty(anyText, fc.integer({ min: 1, max: 40 }), async (text, turn) => {
      const atOnce = await asRead(async (json) => parseLossless(json, (digits) => digits), text);
      expect(await asRead((json) => readInTurns(json, turn), text)).toEqual(atOnce);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  "{1:2}",
  "{1 :2}",
  "{12:3}",
  "[01]",
  "[1.]",
  "[-]",
  "[1 2]",
  '["a"1]',
  '["\\',
  '"',
  "1e",
  "",
  '{"a":[1,]}',
  '{"a":[1,,2]}',
  '{"a":[,1]}',
  '{"a":-[1]}',
  '{"a":[1}]',
  '{"a":[1]',
  "{[1]:2}",
])("%j is no JSON for reading in turns either", async (text) => {
  await expect(readInTurns(text)).rejects.toThrow(SyntaxError);
});

test("numbers that nothing parts are not kept until the end of the text [facts.inputs.bounded]", async () => {
  const numbers = `{"a":${"0".repeat(100_000)}`;
  // Cut off: only the second number can be what is wrong with it so far.
  await expect(readInTurns(numbers)).rejects.toThrow(SyntaxError);
  await expect(readInTurns(`${numbers.slice(0, 5)}${'""0'.repeat(30_000)}`)).rejects.toThrow(SyntaxError);
});

/** How deep lists and objects stand in one another. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test("what comes in is counted however it is cut", async () => {
  await fc.assert(
    fc.asyncProperty(jsonText, fc.integer({ min: 1, max: 20 }), async (text, length) => {
      const depth = depthOf(JSON.parse(text));
      const limited = (limits: { values: number; depth: number }) =>
        expect(readInTurns(text, length, { ...LIMITS, ...limits }));
      await limited({ values: text.length, depth }).resolves.toBeDefined();
      await limited({ values: text.length, depth: depth - 1 }).rejects.toThrow(ErpError);
      await limited({ values: 0, depth }).rejects.toThrow(ErpError);
    }),
  );
});

/** Milliseconds in which nothing else ran, at most, while `work` was under way. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1_000_000;
}

const zeros = (count: number): string => "0,".repeat(count - 1).concat("0");
const packed = (body: string): Promise<string> => {
  const bytes = gzipSync(body);
  return served((_request, response) => {
    response.writeHead(200, { "Content-Encoding": "gzip" });
    response.end(bytes);
  });
};

const HOSTILE: readonly (readonly [string, () => string, string])[] = [
  ["60 MiB of zeros", () => `[${zeros(30_000_000)}]`, "one of its items holds more than 100000 values"],
  [
    "many values in many items",
    () => `{"items":[${`[${zeros(50_000)}],`.repeat(50)}0]}`,
    "it holds more than 1000000 values",
  ],
  [
    "20 MiB of texts",
    () => `{"items":[${`"${"x".repeat(40_000)}",`.repeat(500)}""]}`,
    "it is larger than 16777216 bytes",
  ],
  [
    "one long text",
    () => `{"items":["${"x".repeat(2_000_000)}"]}`,
    "one of its values is longer than 1048576 characters",
  ],
  ["spaces", () => " ".repeat(2_000_000), "one of its values is longer than 1048576 characters"],
  ["many zeros", () => `[${zeros(200_000)}]`, "one of its items holds more than 100000 values"],
  ["zeros for items", () => `{"items":[${zeros(8_000_000)}]}`, "it holds more than 1000 items"],
  ["zeros in an item", () => `{"items":[{"a":[${zeros(200_000)}]}]}`, "one of its items holds more than 100000 values"],
  ["empty items", () => `{"items":[${"{},".repeat(5_000)}{}]}`, "it holds more than 1000 items"],
  [
    "keys beside the items",
    () => `{${'"a":1,'.repeat(200_000)}"items":[]}`,
    "one of its items holds more than 100000 values",
  ],
  ["nesting", () => `{"items":[${"[".repeat(1_000_000)}`, "it is nested deeper than 32"],
];

test.each(HOSTILE)(
  "[contract.edges.erp.answer-bounds] an answer of %s is refused in our words, and holds nobody up",
  { timeout: 30_000 },
  async (_name, make, limit) => {
    const url = await packed(make());
    let error: unknown;
    const held = await longestHold(async () => {
      error = await failure(readAll(connect(url)));
    });
    expect(error).toMatchObject({ kind: "erp_rejected", publicMessage: `The ERP's answer cannot be used: ${limit}.` });
    // Crowded machines count too; unbounded, the first of them took most of a minute.
    expect(held).toBeLessThan(1_000);
  },
);

const PACKING = "holds far more bytes than data";
const PADDED: readonly (readonly [string, (response: ServerResponse) => unknown, string])[] = [
  ["pieces of one byte", (response) => Array.from({ length: 150_000 }, () => response.write(" ")), PACKING],
  ["answers before it", (response) => Array.from({ length: 40_000 }, () => response.writeProcessing()), PACKING],
  [
    "bytes in extensions of its chunks",
    (response) => {
      response.flushHeaders();
      response.socket?.write(`1;${"x".repeat(1_000_000)}\r\n \r\n`);
    },
    PACKING,
  ],
  [
    "bytes that unpack to nothing",
    (response) => {
      response.setHeader("content-encoding", "gzip");
      // The name of a packed file, without an end.
      response.write(Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]));
      for (let written = 0; written < 18; written += 1) response.write(Buffer.alloc(1024 * 1024, "x"));
    },
    "is larger than 16777216 bytes",
  ],
  ["packings", (response) => response.setHeader("content-encoding", "gzip, gzip"), PACKING],
];
test.each(PADDED)("[contract.edges.erp.answer-bounds] an answer with many %s is refused", async (_name, write, why) => {
  const url = await served((_request, response) => {
    write(response);
    // The bytes are looked at every few milliseconds.
    setTimeout(() => response.end('{"items":[],"hasMore":false}'), 500);
  });
  const error = await failure(readAll(connect(url)));
  expect(error.publicMessage).toBe(`The ERP's answer cannot be used: it ${why}.`);
});

test("an answer in many small pieces that are mostly data is read", async () => {
  const url = await served((_request, response) => {
    response.write('{"items":[');
    for (let written = 0; written < 20_000; written += 1) response.write(" ".repeat(25));
    response.end('],"hasMore":false}');
  });
  expect(await readAll(connect(url))).toEqual([]);
});

test("[contract.edges.erp.answer-time] an answer that drips without end is cut off after the time for one request", async () => {
  const url = await served((_request, response) => {
    response.write('{"items":[');
    const drip = setInterval(() => response.write(" "), 10);
    response.once("close", () => clearInterval(drip));
  });
  const start = performance.now();
  const error = await failure(readAll(connect(url, { timeoutMs: 200 })));
  expect([error.kind, error.publicMessage]).toEqual(["erp_unreachable", "The ERP did not answer in time."]);
  expect(performance.now() - start).toBeLessThan(5_000);
});

test("a list is read where it stands, whatever the keys are called", async () => {
  const text = '{"__proto__":[1],"items":[{"a":[2]},[3]],"n":4}';
  const read = await readInTurns(text);
  expect(JSON.stringify(read)).toBe('{"__proto__":["1"],"items":[{"a":["2"]},["3"]],"n":"4"}');
  const error = await failure(readAll(connect(await answering(text))));
  expect(error.kind).toBe("erp_rejected");
});
