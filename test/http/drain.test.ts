import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { drainable } from "../../src/http/drain.ts";

/** Answers at once, or for `/held` when it is let go. */
async function start() {
  const held: ServerResponse[] = [];
  const server = createServer((asked, response) => {
    if (asked.url === "/held") held.push(response);
    else response.end("at once");
  });
  const drain = drainable(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return { server, drain, held, port: typeof address === "object" && address !== null ? address.port : 0 };
}

/** A thread whose clients connect and ask all at once when it is told to, and that tells what each was answered. */
const CLIENTS = `
  const { connect } = require("node:net");
  const { text } = require("node:stream/consumers");
  const { parentPort, workerData: { port, count } } = require("node:worker_threads");
  const ask = async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n");
    return (await text(socket)).split("\\r\\n")[0];
  };
  parentPort.once("message", async () => {
    const answers = await Promise.allSettled(Array.from({ length: count }, ask));
    parentPort.postMessage(answers.map(({ value, reason }) => value ?? String(reason)));
  });`;

/** A thread that asks twice over one connection, the second time when it is told to, and tells both answers. */
const PATIENT = `
  const { connect } = require("node:net");
  const { once } = require("node:events");
  const { parentPort, workerData: { port } } = require("node:worker_threads");
  (async () => {
    const socket = connect(port, "127.0.0.1");
    const ask = async () => {
      socket.write("GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n");
      const [answer] = await once(socket, "data");
      return String(answer).split("\\r\\n")[0];
    };
    parentPort.postMessage(await ask());
    await once(parentPort, "message");
    parentPort.postMessage(await ask().catch(String));
    socket.destroy();
  })();`;

/** A thread that comes to every port each time `told` says so, until that is negative, and tells what each was answered. */
const COMERS = `
  const { connect } = require("node:net");
  const { text } = require("node:stream/consumers");
  const { parentPort, workerData: { told, ports } } = require("node:worker_threads");
  const ask = async (port) => {
    const socket = connect(port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n");
    return (await text(socket)).split("\\r\\n")[0];
  };
  // Waiting alone keeps no thread alive.
  setInterval(() => undefined, 60_000);
  (async () => {
    const asked = [];
    for (let known = 0; ; known = Atomics.load(told, 0)) {
      const waited = Atomics.waitAsync(told, 0, known);
      if (waited.async) await waited.value;
      if (Atomics.load(told, 0) < 0) break;
      asked.push(...ports.map((port) => ask(port).catch(String)));
    }
    parentPort.postMessage(await Promise.all(asked));
  })();`;

describe("a server that is drained", () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  afterEach(() => agent.destroy());

  async function ask(port: number, path = "/"): Promise<{ connection: string | undefined; body: string }> {
    const sent = request({ host: "127.0.0.1", port, path, agent }).end();
    const [response]: IncomingMessage[] = await once(sent, "response");
    if (response === undefined) throw new Error("no answer");
    return { connection: response.headers.connection, body: await text(response) };
  }

  it("answers what comes over a connection that was waiting, and ends it then [contract.drain]", async () => {
    const { drain, port } = await start();
    expect(await ask(port)).toEqual({ connection: "keep-alive", body: "at once" });
    const begun = performance.now();
    const drained = drain(60_000);
    await sleep(50);
    expect(await ask(port)).toEqual({ connection: "close", body: "at once" });
    await drained;
    expect(performance.now() - begun).toBeLessThan(30_000);
    await expect(ask(port)).rejects.toThrow("ECONNREFUSED");
  });

  it("answers what came over a waiting connection while it was busy with something else [contract.drain]", async () => {
    const { drain, port } = await start();
    const client = new Worker(PATIENT, { eval: true, workerData: { port } });
    expect((await once(client, "message"))[0]).toBe("HTTP/1.1 200 OK");
    const drained = drain(5_000);
    await sleep(900);
    client.postMessage("again");
    // Timers come next in the loop, before reading: the request arrives while the moment passes at which idle connections are closed.
    await new Promise(setImmediate);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
    expect((await once(client, "message"))[0]).toBe("HTTP/1.1 200 OK");
    await drained;
  });

  it("takes new connections for the time given, and ends each with its answer [contract.operation.rolling]", async () => {
    const { drain, port } = await start();
    const drained = drain(60_000, 700);
    await sleep(400);
    const late = await fetch(`http://127.0.0.1:${port}/`);
    expect([late.status, late.headers.get("connection")]).toEqual([200, "close"]);
    await drained;
    await expect(ask(port)).rejects.toThrow("ECONNREFUSED");
  });

  it("ends a connection that nobody uses soon, however long it may be kept [contract.http.keep-alive]", async () => {
    const { server, drain, port } = await start();
    server.keepAliveTimeout = 10 * 60_000;
    expect(await ask(port)).toEqual({ connection: "keep-alive", body: "at once" });
    // In time, or the test runs out of its own.
    await drain(5 * 60_000);
  });

  it("takes up whoever has come, though it had no time for them yet [contract.drain]", async () => {
    const { drain, port } = await start();
    const comers = Array.from({ length: 20 }, () => connect(port, "127.0.0.1"));
    const answers = comers.map((socket) => text(socket));
    for (const socket of comers) socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const drained = drain(60_000);
    for (const answer of answers) expect(await answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Connection: close/);
    await drained;
  });

  it("takes up all who came while it was busy with something else [contract.drain]", async () => {
    const { drain, port } = await start();
    const clients = new Worker(CLIENTS, { eval: true, workerData: { port, count: 20 } });
    await once(clients, "online");
    const answers = once(clients, "message");
    const drained = drain(60_000);
    await sleep(20);
    clients.postMessage("now");
    for (const until = performance.now() + 500; performance.now() < until; );
    expect(await answers).toEqual([Array.from({ length: 20 }, () => "HTTP/1.1 200 OK")]);
    await drained;
    await clients.terminate();
  });

  it("takes up those who come in the middle of other work, however that goes on [contract.drain]", async () => {
    const told = new Int32Array(new SharedArrayBuffer(4));
    const servers = await Promise.all(Array.from({ length: 12 }, start));
    const clients = new Worker(COMERS, { eval: true, workerData: { told, ports: servers.map(({ port }) => port) } });
    await once(clients, "online");
    const answers = once(clients, "message");
    const drained = servers.map(({ drain }) => drain(60_000));
    // Each turn of the loop is busy for a while; in every fifth somebody comes.
    const busyUntil = performance.now() + 700;
    for (let turn = 0; performance.now() < busyUntil; turn += 1) {
      if (turn % 5 === 4) {
        Atomics.add(told, 0, 1);
        Atomics.notify(told, 0);
      }
      for (const until = performance.now() + 4; performance.now() < until; );
      await new Promise(setImmediate);
    }
    Atomics.store(told, 0, -1);
    Atomics.notify(told, 0);
    const [found] = await answers;
    expect([...new Set(found)]).toEqual(["HTTP/1.1 200 OK"]);
    await Promise.all(drained);
    await clients.terminate();
  });

  it("lets what is under way be answered, and takes nothing more over its connection [contract.drain]", async () => {
    const { drain, held, port } = await start();
    const answer = ask(port, "/held");
    await expect.poll(() => held.length).toBe(1);
    const drained = drain(60_000);
    held[0]?.end("in the end");
    expect(await answer).toEqual({ connection: "close", body: "in the end" });
    await drained;
  });

  it("cuts off what does not end in time, and whoever holds a connection without a word", async () => {
    const { drain, held, port } = await start();
    await ask(port);
    const other = request({ host: "127.0.0.1", port, path: "/held" }).end();
    const broken = new Promise((resolve) => other.once("error", resolve));
    await expect.poll(() => held.length).toBe(1);
    await drain(300);
    await broken;
  });
});
