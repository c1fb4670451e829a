/**
 * Plays an operator who has the only the documents: a shell is given each of their commands as it stands there, in a checkout of the
 * service, with the variables that it names, and has to end with 0. operator-story.ts has the order, and what is not run and why.
 */
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { decodeJwt } from "jose";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateBook } from "../../src/simulators/fusion/book.ts";
import { createFusionSimulator } from "../../src/simulators/fusion/index.ts";
import { createStripeSimulator } from "../../src/simulators/stripe/index.ts";
import { Browser } from "../support/browser.ts";
import { type Issuer, startIssuer } from "../support/issuer.ts";
import { signInAndApprove } from "../support/oauth-client.ts";
import { findBinaries, startPostgres, type ThrowawayPostgres } from "../support/postgres.ts";
import { DOCUMENTED, hasProgram } from "../support/programs.ts";
import { freePort } from "../support/server.ts";
import { CFO, Machine, type Variables } from "./operator-machine.ts";
import { STORY } from "./operator-story.ts";

/** Some start the service twice, on a machine that may be busy. */
const SLOW = { timeout: 500_000 };
const BINARIES = findBinaries() ?? "";
/** PostgreSQL refuses to be started by root. */
const POSTGRES_USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A machine, and the PostgreSQL that its service works on; null for the embedded store. */
interface Place {
  readonly machine: Machine;
  readonly server: ThrowawayPostgres | null;
}

/** An assistant that the CFO has connected: the connection's id. */
async function connectAssistant(origin: string): Promise<Variables> {
  const { accessToken } = await signInAndApprove(origin, CFO);
  return { CONNECTION_ID: decodeJwt<{ connection_id: string }>(accessToken).connection_id };
}

async function setUpSecondFactor(origin: string): Promise<undefined> {
  const browser = new Browser(origin);
  await browser.submit(await browser.open("/signin"), "Sign in", CFO);
  const page = await browser.open("/security/factor");
  const secret = Secret.fromBase32(/secret=([A-Z2-7]+)/.exec(page.html)?.[1] ?? "");
  const proof = { current_password: CFO.password, code: new TOTP({ secret }).generate() };
  expect((await browser.submit(page, "Switch it on", proof)).status).toBe(200);
}

/** Puts the backup where nothing is yet: the figures are those of the place it is of. */
async function restore({ machine, server }: Place, line: string): Promise<void> {
  const { DATABASE_URL: url } = machine.settings;
  const settings: Variables =
    server === null
      ? { DATA_DIR: "restored", ENCRYPTION_KEY: readFileSync(join(machine.checkout, "data/encryption.key"), "utf8") }
      : { DATABASE_URL: `${url}_restored` };
  if (server !== null)
    await machine.type('psql "$ADMIN_URL" -c "create database receivables_restored owner receivables"');
  await machine.type(line, { settings });
  expect(await machine.figures(settings)).toBe(await machine.figures());
}

/** Brings the database to another server: the figures are there too. */
async function dump({ machine, server }: Place, line: string): Promise<void> {
  await machine.type(line, { variables: { DATABASE_URL: `${server?.url}receivables` } });
  if (!line.startsWith("pg_restore")) return;
  const DATABASE_URL = machine.variables.NEW_DATABASE_URL?.replace("postgres@", "receivables@") ?? "";
  expect(await machine.figures({ DATABASE_URL })).toBe(await machine.figures());
}

/** As PostgreSQL's user. The workspace that was made after the moment is gone, the one before it is there. */
async function recover({ machine, server }: Place, line: string): Promise<void> {
  const { variables, settings } = machine;
  const folder = dirname(variables.RESTORED ?? "");
  const type = (typed: string): Promise<string> =>
    machine.type(typed, {
      cwd: folder,
      settings: { PATH: `${BINARIES}:${settings.PATH}`, HOME: folder },
      ...POSTGRES_USER,
    });
  const sql = (text: string): Promise<string> => type(`psql "$SUPERUSER_URL" -Atc "${text}"`);
  const make = (name: string): Promise<string> =>
    machine.type(`npm run admin -- workspace create --name ${name} --timezone Europe/Berlin`);
  if (line.startsWith("pg_basebackup")) {
    // What a server of the tests is told when it is started, others have in their files.
    const told = { port: new URL(server?.url ?? "").port, max_connections: 300, unix_socket_directories: folder };
    for (const [name, value] of Object.entries(told)) await sql(`alter system set ${name} = '${value}'`);
    await server?.halt("fast");
    await server?.resume();
  }
  await type(line);
  if (line.startsWith("pg_basebackup")) {
    await make("Before");
    variables.RESTORE_TO = (await sql("select now()")).trim();
    await make("After");
    await machine.stop();
    await server?.halt("fast");
  }
  if (!line.startsWith("pg_ctl")) return;
  await expect.poll(() => sql("select pg_is_in_recovery()")).toBe("f\n");
  const found = await machine.type("npm run admin -- workspace list");
  await type('pg_ctl --pgdata="$RESTORED" --mode=immediate stop');
  expect(found).toMatch(/Before/);
  expect(found).not.toMatch(/After/);
  await server?.resume();
  await machine.start("npm start");
}

/** The key comes from the environment of PostgreSQL's processes: they are given both, and the old one is taken away afterwards. */
async function rotateKey({ machine, server }: Place, line: string): Promise<void> {
  const { settings } = machine;
  if (server === null) return void (await machine.type(line));
  settings.ENCRYPTION_KEY_PREVIOUS = settings.ENCRYPTION_KEY ?? "";
  settings.ENCRYPTION_KEY = (await machine.type("openssl rand -base64 32")).trim();
  await machine.start("npm start");
  await machine.type(line);
  delete settings.ENCRYPTION_KEY_PREVIOUS;
  await machine.start("npm start");
}

/** What comes before a command, where it is more than the commands before it. Answers the variables that it names. */
const BEFORE: readonly (readonly [wanted: RegExp, way: (place: Place) => Promise<Variables | undefined>])[] = [
  [/ assistant revoke /, ({ machine }) => connectAssistant(machine.origin)],
  [/ backup create /, ({ machine }) => machine.untilFigures()],
  [/ remove-second-factor /, ({ machine }) => setUpSecondFactor(machine.origin)],
  [
    /\$KEY/,
    async ({ machine }) => {
      const made = await machine.type(
        "npm run --silent admin -- api-key create --workspace Acme --name Books --permission readonly --json",
      );
      return { KEY: String(JSON.parse(made).key) };
    },
  ],
];

const RECOVERY = /^pg_(basebackup|ctl) |\$(SUPERUSER_URL|RESTORED)/;
const ELSEWHERE = /^pg_(dump|restore) |\$NEW_/;

async function carryOut(place: Place, line: string): Promise<void> {
  const { machine } = place;
  if (line.endsWith("npm start")) {
    await machine.start(line);
    if (line !== "npm start") await machine.start("npm start");
  } else if (line.includes(" backup restore ")) await restore(place, line);
  else if (line.includes(" encryption-key rotate")) await rotateKey(place, line);
  else if (RECOVERY.test(line)) await recover(place, line);
  else if (ELSEWHERE.test(line)) await dump(place, line);
  // Stripe itself is not asked.
  else if (line.includes("--secret-key-stdin")) await machine.type(`${line} --api-base "$STRIPE"`);
  else {
    const variables = await BEFORE.find(([wanted]) => wanted.test(line))?.[1](place);
    const said = await machine.type(line, variables === undefined ? {} : { variables });
    if (line.startsWith("openssl")) machine.settings.ENCRYPTION_KEY = said.trim();
  }
}

const KINDS = [
  { name: "the embedded store", isServer: false, isNewest: false },
  { name: "the installed PostgreSQL", isServer: true, isNewest: false },
  // Its package has no client programs, and older ones neither dump nor copy it.
  { name: "the newest PostgreSQL", isServer: true, isNewest: true },
];

describe.skipIf(!DOCUMENTED.every(hasProgram)).each(KINDS)("an operator with the documents, on $name", (kind) => {
  const erp = createFusionSimulator({
    ...generateBook({ seed: 1, today: new Date().toISOString().slice(0, 10), invoices: 12 }),
    credentials: { username: "AR_SVC", password: CFO.password },
  });
  const stripe = createStripeSimulator({ secretKey: "sk_test_operator" });
  const folder = mkdtempSync(join(tmpdir(), "receivables-postgres-"));
  const servers: ThrowawayPostgres[] = [];
  const machines: Machine[] = [];
  let issuer: Issuer;
  let noted: Variables;
  beforeAll(async () => {
    issuer = await startIssuer();
    noted = {
      ...{ ERP_URL: await erp.listen(), ERP_USER: "AR_SVC", STRIPE: await stripe.listen() },
      ...{ ISSUER: issuer.url, CLIENT_ID: "receivables", SUBJECT: "00u1a2b3" },
    };
    if (!kind.isServer) return;
    for (const isNewest of new Set([kind.isNewest, true])) {
      const server = await startPostgres({ isNewest });
      if (server === null) throw new Error("no PostgreSQL");
      servers.push(server);
    }
    const [here, there] = servers.map(({ url }) => url);
    for (const name of ["", "archive"]) {
      mkdirSync(join(folder, name), { recursive: true });
      if (POSTGRES_USER.uid !== undefined) chownSync(join(folder, name), POSTGRES_USER.uid, POSTGRES_USER.gid);
    }
    noted = {
      ...noted,
      ...{ ADMIN_URL: `${here}postgres`, SUPERUSER_URL: `${here}postgres` },
      ...{ NEW_ADMIN_URL: `${there}postgres`, NEW_DATABASE_URL: `${there}receivables`, BACKUP: join(folder, "dump") },
      ...{
        WAL_ARCHIVE: join(folder, "archive"),
        BASE_BACKUP: join(folder, "base"),
        RESTORED: join(folder, "restored"),
      },
    };
  });
  afterAll(async () => {
    for (const machine of machines) await machine.remove();
    for (const server of servers) server.stop();
    await Promise.all([erp.close(), stripe.close(), issuer.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  async function place(user: string, settings: Variables = {}): Promise<Place> {
    const [server = null] = servers;
    const url = server?.url.replace("postgres@", `${user}:letters-and-digits@`);
    const database = url === undefined ? {} : { DATABASE_URL: `${url}${user}` };
    const machine = new Machine(await freePort(), { ...database, ...settings }, noted);
    machines.push(machine);
    return { machine, server };
  }
  const canRun = (line: string): boolean =>
    (kind.isServer || !/^(psql|openssl) /.test(line)) &&
    ((kind.isServer && !kind.isNewest) || !(RECOVERY.test(line) || ELSEWHERE.test(line)));
  const [second = "", ...surplus] = STORY.installs.filter((line) => line.includes(" to second"));

  describe("who installs and operates", () => {
    let own: Place;
    beforeAll(async () => {
      own = await place("receivables", { DEMO: "off" });
    });
    const lines = [...STORY.installs.filter((line) => line !== second), ...STORY.operates].filter(canRun);
    it.each(lines)("%s [contract.operation.operator]", SLOW, (line) => carryOut(own, line));
  });

  describe("who looks at it, beside an installation that there is", () => {
    let own: Place;
    beforeAll(async () => {
      own = await place("second");
    });
    it.skipIf(!kind.isServer)(`${second} [contract.operation.operator]`, SLOW, async () => {
      expect(surplus).toEqual([]);
      for (const line of STORY.installs.filter((one) => one.startsWith("psql") && one !== second))
        await carryOut(own, line.replaceAll("receivables", "second"));
      await carryOut(own, "openssl rand -base64 32");
      if (kind.isNewest)
        await expect(own.machine.start("npm start")).rejects.toThrow(/grant receivables_tenant, receivables_system to/);
      await carryOut(own, second);
    });
    it.each(STORY.looks.filter(canRun))("%s [contract.operation.operator]", SLOW, (line) => carryOut(own, line));
  });
});
