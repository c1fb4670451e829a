import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer as createWebServer } from "node:http";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startProblem } from "../../src/start-problem.ts";
import { freePort, readDemo, SHORT_LIVED, spawnServer, startServer } from "../support/server.ts";
import { A_KIND, createDatabase } from "../support/stores.ts";

const ENCRYPTION_KEY = Buffer.alloc(32, 9).toString("base64");
const url = inject("postgresUrl");

const ROOT = resolve(import.meta.dirname, "../..");
const NOBODY = 65_534;
const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", process.execPath] as const;
/** Only root can become somebody else, who has to be let in to where this Node is. */
const CAN_BE_NOBODY =
  process.getuid?.() === 0 && spawnSync(AS_NOBODY[0], [...AS_NOBODY.slice(1), "-e", ""]).status === 0;

/** Starts the service of a folder as another user; once it is ready it is asked to stop. */
async function startAsNobody(folder: string, settings: Readonly<Record<string, string>>) {
  const [command, ...as] = AS_NOBODY;
  const child = spawn(command, [...as, ...SHORT_LIVED, "src/main.ts"], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", PORT: String(await freePort()), DEMO: "off", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += String(chunk);
    if (out.includes("is ready")) child.kill("SIGTERM");
  });
  child.stderr.on("data", (chunk) => {
    err += String(chunk);
  });
  const [code] = await once(child, "close");
  return { code, out, err };
}

function portOf(server: Server): string {
  const address = server.address();
  return String(typeof address === "object" ? address?.port : "");
}

describe("a first start", () => {
  let folder: string;
  let taken: Server;
  /** Made for this file, and dropped with its role at the end. */
  let database: Awaited<ReturnType<typeof createDatabase>> | undefined;
  const role = `first_start_${process.pid}`;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "receivables first start-"));
    writeFileSync(join(folder, "file"), "");
    taken = createServer().listen(0, "127.0.0.1");
    if (url === null) return;
    database = await createDatabase();
    await asOwner(`create role ${role} login`);
  });
  afterAll(async () => {
    taken.close();
    rmSync(folder, { recursive: true, force: true });
    if (database === undefined) return;
    await asOwner(`drop role ${role}`);
    await database.drop();
  });

  async function asOwner(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: database?.databaseUrl ?? "" });
    await client.connect();
    await client.query(statement);
    await client.end();
  }

  /** What a start that fails says: nothing on stdout, one line on stderr. */
  async function refusalOf(settings: Readonly<Record<string, string>>): Promise<string> {
    const environment = { DATA_DIR: join(folder, "new"), PORT: "0", DEMO: "off", ...settings };
    const run = spawnServer(environment);
    expect([await run.exited, run.stdout()]).toEqual([1, ""]);
    expect(run.stderr()).toMatch(/^.+\n$/);
    return run.stderr().trimEnd();
  }

  it("names the setting that is wrong, in one line [contract.first-start]", async () => {
    expect(await refusalOf({ PORT: "none" })).toBe("PORT: must be a port, 0 to 65535");
    expect(await refusalOf({ DEMO: "yes" })).toBe("DEMO: must be on or off");
    expect(await refusalOf({ ENCRYPTION_KEY: "short" })).toMatch(/^ENCRYPTION_KEY: must be 32 bytes/);
    expect(await refusalOf({ SMTP_URL: "mail.example.com" })).toMatch(/^SMTP_URL: must be an address/);
    expect(await refusalOf({ DATABASE_URL: "postgres://db/r" })).toMatch(/^ENCRYPTION_KEY: required/);
    expect(await refusalOf({ OTEL_TRACES_SAMPLER_ARG: "2" })).toMatch(/^OTEL_TRACES_SAMPLER_ARG: must be a number/);
  });

  it("names the address that cannot be listened on, before it makes anything [contract.first-start]", async () => {
    const PORT = portOf(taken);
    const dataDir = join(folder, "not yet");
    expect(await refusalOf({ PORT, DATA_DIR: dataDir, DEMO: "on" })).toBe(
      `PORT: another process listens on 127.0.0.1:${PORT} already`,
    );
    expect(statSync(dataDir, { throwIfNoEntry: false })).toBeUndefined();
    expect(await refusalOf({ METRICS_PORT: PORT, DATA_DIR: dataDir, DEMO: "on" })).toBe(
      `METRICS_PORT: another process listens on 127.0.0.1:${PORT} already`,
    );
    expect(statSync(dataDir, { throwIfNoEntry: false })).toBeUndefined();
    expect(await refusalOf({ HOST: "203.0.113.9" })).toBe("HOST: 203.0.113.9 is not an address of this machine");
  });

  it("names a data folder that cannot be used [contract.first-start]", async () => {
    const file = join(folder, "file");
    expect(await refusalOf({ DATA_DIR: file })).toBe(`DATA_DIR: ${file} is not a folder`);
    const dataDir = join(folder, "with a file");
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, "store"), "");
    expect(await refusalOf({ DATA_DIR: dataDir })).toBe(`DATA_DIR: ${join(dataDir, "store")} is not a folder`);
    const below = join(file, "below");
    expect(await refusalOf({ DATA_DIR: below })).toMatch(`DATA_DIR: ${below} is not a folder, or lies in`);
  });

  it("names a data folder of somebody else's, or on a disk that is full [contract.first-start]", () => {
    const settings = { dataDir: "/data" };
    const problem = (code: string, path?: string) =>
      startProblem(Object.assign(new Error("no"), { code, path, syscall: "mkdir" }), settings);
    expect(problem("EACCES", "/data")).toBe("DATA_DIR: /data cannot be read and written by this user");
    for (const at of ["/data/1", undefined]) expect(problem("ENOSPC", at)).toMatch("/data lies on a disk that is full");
    expect(problem("ENOENT", "/data/a")).toMatch(/^DATA_DIR: \/data\/a cannot be made/);
    expect([problem("EACCES", "/else"), startProblem(new TypeError("a defect"), settings)]).toEqual([null, null]);
  });

  it("says that a store's key is gone or spoilt, and makes no other [contract.first-start]", async () => {
    const dataDir = join(folder, "keyless");
    const key = join(dataDir, "encryption.key");
    expect(await (await startServer(dataDir, { DEMO: "off" })).stop()).toBe(0);
    rmSync(key);
    const before = readdirSync(dataDir);
    expect(await refusalOf({ DATA_DIR: dataDir })).toBe(
      `DATA_DIR: ${dataDir} holds a store but not its encryption.key: put it back`,
    );
    expect(readdirSync(dataDir)).toEqual(before);
    writeFileSync(key, "garbage");
    expect(await refusalOf({ DATA_DIR: dataDir })).toBe(`DATA_DIR: ${key} does not hold a 32-byte key in base64`);
    writeFileSync(key, ENCRYPTION_KEY);
    expect(await refusalOf({ DATA_DIR: dataDir })).toBe(
      `DATA_DIR: what ${key} holds is not the key that this store was written with: give it back that one`,
    );
    expect(await refusalOf({ DATA_DIR: dataDir, ENCRYPTION_KEY })).toMatch(/^ENCRYPTION_KEY: is not the key that this/);
  });

  it.skipIf(url === null)("names a key that is not the database's [contract.first-start]", async () => {
    const made = await createDatabase();
    try {
      const settings = { DATABASE_URL: made.databaseUrl, ENCRYPTION_KEY, DEMO: "off" };
      expect(await (await startServer(join(folder, "keyed"), settings)).stop()).toBe(0);
      const another = { ...settings, ENCRYPTION_KEY: Buffer.alloc(32, 8).toString("base64") };
      expect(await refusalOf({ ...another, DATA_DIR: join(folder, "keyed") })).toMatch(
        /^ENCRYPTION_KEY: is not the key/,
      );
    } finally {
      await made.drop();
    }
  });

  it("names a database that does not answer [contract.first-start]", async () => {
    const port = await freePort();
    const DATABASE_URL = `postgres://receivables:a-password@127.0.0.1:${port}/receivables`;
    expect(await refusalOf({ DATABASE_URL, ENCRYPTION_KEY })).toBe(
      `DATABASE_URL: no PostgreSQL at 127.0.0.1:${port}: nothing listens there`,
    );
  });

  it("names what answers and is no database [contract.first-start]", async () => {
    const silent = createServer((socket) => void socket.end()).listen(0, "127.0.0.1");
    const web = createWebServer((_request, response) => void response.end("hello")).listen(0, "127.0.0.1");
    try {
      for (const server of [silent, web]) {
        if (!server.listening) await once(server, "listening");
        const place = `127.0.0.1:${portOf(server)}`;
        expect(await refusalOf({ DATABASE_URL: `postgres://a:secret@${place}/a`, ENCRYPTION_KEY })).toBe(
          `DATABASE_URL: what answers at ${place} is no PostgreSQL, or cut the connection off`,
        );
      }
    } finally {
      silent.close();
      web.close();
    }
  });

  it.skipIf(url === null)(
    "names which of two URLs it is, and why for each of several hosts [contract.first-start]",
    async () => {
      const port = await freePort();
      const { hostname, port: given } = new URL(url ?? "");
      const there = `${hostname}:${given || "5432"}`;
      const DATABASE_URL = `postgres://nobody_here:secret@127.0.0.1:${port},${there}/postgres`;
      expect(await refusalOf({ DATABASE_URL, ENCRYPTION_KEY })).toBe(
        `DATABASE_URL: no server that takes writes: 127.0.0.1:${port}: nothing listens there; ${there}: role "nobody_here" does not exist`,
      );
      const DATABASE_DIRECT_URL = `postgres://a:secret@127.0.0.1:${port}/postgres`;
      expect(await refusalOf({ DATABASE_URL: url ?? "", DATABASE_DIRECT_URL, ENCRYPTION_KEY })).toBe(
        `DATABASE_DIRECT_URL: no PostgreSQL at 127.0.0.1:${port}: nothing listens there`,
      );
    },
  );

  it.skipIf(url === null)("names a database that refuses, and why [contract.first-start]", async () => {
    const { host } = new URL(url ?? "");
    const refusalAs = (user: string, name: string) =>
      refusalOf({ DATABASE_URL: `postgres://${user}@${host}/${name}`, ENCRYPTION_KEY });
    const refuses = `DATABASE_URL: PostgreSQL at ${host} refuses:`;
    expect(await refusalAs("nobody_here", "postgres")).toBe(`${refuses} role "nobody_here" does not exist`);
    expect(await refusalAs("postgres", "none_here")).toBe(`${refuses} database "none_here" does not exist`);
    expect(await refusalAs("postgres", "postgres?options=-c%20statement_timeout=abc")).toBe(
      `${refuses} invalid value for parameter "statement_timeout": "abc"`,
    );
    expect(await refusalAs(role, "postgres")).toMatch(
      /^DATABASE_URL: its user cannot prepare the store \(.*CREATEROLE/,
    );
  });

  // The embedded store's is looked at in test/e2e/assistant.test.ts.
  it(`makes the demo on ${A_KIND} in a folder that is not there, and tells of it [contract.first-start]`, {
    timeout: 120_000,
  }, async () => {
    const dataDir = join(folder, "demo", "deep");
    const onPostgres = { DATABASE_URL: database?.databaseUrl ?? "", ENCRYPTION_KEY, DEMO: "on" };
    const settings = database === undefined ? {} : onPostgres;
    const server = await startServer(dataDir, settings);
    try {
      const lines = server.stdout().split("\n");
      expect(lines[0]).toBe("Opening the store.");
      expect(lines).toContain("  Northwind Trading: 5 weeks ago");
      const [admin] = readDemo(dataDir).people;
      expect(server.stdout()).toContain(`${admin?.email}  ${admin?.password}  (admin of ${admin?.workspace})`);
      expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    } finally {
      await server.stop();
    }
    const again = await startServer(dataDir, settings);
    expect(again.stdout()).toMatch(/^The receivables assistant server is ready\./);
    expect(again.stdout()).not.toContain("Demo login");
    expect(await again.stop()).toBe(0);
  });

  it("goes on where the mail server is away: mail waits, and everything else works [contract.first-start]", async () => {
    const server = await startServer(join(folder, "no mail"), {
      DEMO: "off",
      SMTP_URL: `smtp://user:password@127.0.0.1:${await freePort()}`,
    });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  it.skipIf(!CAN_BE_NOBODY)(
    "works for a user who is not root, from a folder with a space in its name, and names one that is root's [contract.first-start]",
    { timeout: 120_000 },
    async () => {
      const home = mkdtempSync(join(tmpdir(), "receivables of nobody-"));
      const copy = join(home, "the service");
      try {
        for (const part of ["src", "auth", "tools", "skills", "well-known", "server.json", "package.json"])
          cpSync(join(ROOT, part), join(copy, part), { recursive: true });
        symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
        chmodSync(home, 0o755);
        const notTheirs = await startAsNobody(copy, { DATA_DIR: "./data" });
        expect(notTheirs).toMatchObject({
          code: 1,
          err: `DATA_DIR: ${join(copy, "data")} cannot be read and written by this user\n`,
        });
        chownSync(copy, NOBODY, NOBODY);
        const theirs = await startAsNobody(copy, { DATA_DIR: "./not there/yet" });
        expect(theirs.out).toContain("The receivables assistant server is ready.");
        expect(theirs.code).toBe(0);
        expect(statSync(join(copy, "not there", "yet")).uid).toBe(NOBODY);
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    },
  );

  it("is quiet as it installs where an older Node runs npm [contract.first-start]", () => {
    const settings = readFileSync(resolve(import.meta.dirname, "../../.npmrc"), "utf8");
    expect(settings.split("\n")).toContain("loglevel=error");
  });
});
