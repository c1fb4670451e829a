import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates, TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { brief, IssuerMetadata } from "../../auth/issuer-metadata.ts";
import type { Log } from "../../src/core/gate/dependencies.ts";
import { smtpMailer } from "../../src/gateways/mail/index.ts";
import { MailError } from "../../src/gateways/mail/mailer.ts";
import { openPostgres } from "../../src/store/database.ts";
import { runCli, terminalOn } from "../admin/support.ts";
import { connect, newReceipt, PASSWORD, signal, simulator, USER } from "../gateways/erp/support.ts";
import { message, smtpServer } from "../gateways/mail/support.ts";
import { newAuthority, tlsBefore } from "../support/certificates.ts";
import { startService } from "../support/service.ts";
import { A_KIND, copyEmbedded } from "../support/stores.ts";

const authority = newAuthority("An authority of our own");
const YESTERDAY = new Date(Date.now() - 86_400_000);
const BAD = [
  ["has expired", authority.issue("localhost", YESTERDAY)],
  ["is for another host name", authority.issue("erp.example")],
  ["is signed by an authority that the service does not know", newAuthority("Some other").issue("localhost")],
] as const;
const GOOD = authority.issue("localhost");

const rejected = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "nothing failed",
    (error: unknown) => error,
  );

describe("a peer whose certificate", () => {
  const before = getCACertificates("default");
  beforeAll(() => setDefaultCACertificates([...before, authority.cert]));
  afterAll(() => setDefaultCACertificates(before));

  it.each(BAD)(
    "%s: an ERP, read or written, was sent nothing and the error says so [contract.operation.certificates]",
    async (words, credentials) => {
      const erp = await simulator();
      const port = await tlsBefore(Number(new URL(erp.url).port), credentials);
      const gateway = connect(`https://localhost:${port}`);
      const reading = Array.fromAsync(gateway.findInvoices(["1"], { signal }));
      for (const error of await Promise.all([reading, gateway.createReceipt(newReceipt(1), { signal })].map(rejected)))
        expect(error).toMatchObject({
          name: "ErpError",
          kind: "erp_unreachable",
          publicMessage: `The ERP's certificate ${words}.`,
          outcomeUnknown: false,
        });
    },
  );

  it.each(BAD)(
    "%s: a mail server, by TLS or STARTTLS [contract.operation.certificates]",
    async (words, credentials) => {
      for (const options of [{ secure: true }, { disabledCommands: [] }]) {
        const { port } = await smtpServer({ ...options, ...credentials });
        const scheme = "secure" in options ? "smtps" : "smtp";
        const error = await rejected(smtpMailer(`${scheme}://localhost:${port}`).send(message()));
        expect(error).toBeInstanceOf(MailError);
        expect(error).toMatchObject({ kind: "temporary", publicMessage: `The mail server's certificate ${words}.` });
      }
    },
  );

  it.each(BAD)(
    "%s: an issuer, in what is logged of it [contract.operation.certificates]",
    async (words, credentials) => {
      const port = await tlsBefore(1, credentials);
      const error = await rejected(new IssuerMetadata(`https://localhost:${port}`).get());
      expect(brief(error)).toMatchObject({ because: `its certificate ${words}` });
    },
  );

  it("is good is spoken to [contract.operation.certificates]", async () => {
    const erp = await simulator();
    const port = await tlsBefore(Number(new URL(erp.url).port), GOOD);
    await Array.fromAsync(connect(`https://localhost:${port}`).findInvoices(["1"], { signal }));
    expect(erp.requests).toHaveLength(1);
    const smtp = await smtpServer({ disabledCommands: [], ...GOOD });
    await smtpMailer(`smtp://localhost:${smtp.port}`).send(message());
    expect(smtp.delivered).toHaveLength(1);
  });

  it.each(BAD)("%s: PostgreSQL, at the start [contract.operation.certificates]", async (words, credentials) => {
    const server = createServer((socket) => {
      socket.once("data", () => {
        socket.write("S");
        new TLSSocket(socket, { isServer: true, ...credentials }).on("error", () => undefined);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    onTestFinished(() => void server.close());
    const { port } = z.object({ port: z.int() }).parse(server.address());
    const start = openPostgres(`postgres://u:p@localhost:${port}/receivables?sslmode=verify-full`);
    await expect(start).rejects.toThrow(`DATABASE_URL: the certificate of PostgreSQL at localhost:${port} ${words}`);
  });

  it("has expired fails a sync in words that its run and the log have [contract.operation.certificates]", async () => {
    const lines: object[] = [];
    const log: Log = { info: () => undefined, warn: (fields) => void lines.push(fields), error: () => undefined };
    const service = await startService(A_KIND, { log, localErps: true });
    onTestFinished(() => service.close());
    const port = await tlsBefore(1, BAD[0][1]);
    const admin = terminalOn(service.core);
    await admin("workspace create --name A --timezone UTC");
    const connecting = `erp connect --workspace A --provider oracle_fusion --url https://localhost:${port} --user U`;
    const { err } = await admin(`${connecting} --password-stdin`, "P\n");
    expect(err).toContain("The ERP's certificate has expired");
    const { out } = await admin("erp sync --workspace A --wait --json");
    expect(out).toContain("The ERP's certificate has expired.");
    expect(lines).toContainEqual(
      expect.objectContaining({ reason: "The ERP's certificate has expired. (CERT_HAS_EXPIRED)" }),
    );
  });
});

it("believes an authority of one's own that NODE_EXTRA_CA_CERTS names [contract.operation.certificates]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "receivables-authority-"));
  const dataDir = copyEmbedded();
  onTestFinished(() => {
    for (const one of [folder, dataDir]) rmSync(one, { recursive: true, force: true });
  });
  const erp = await simulator();
  const port = await tlsBefore(Number(new URL(erp.url).port), GOOD);
  const file = join(folder, "authority.pem");
  writeFileSync(file, authority.cert);
  await runCli("workspace create --name A --timezone UTC", { DATA_DIR: dataDir });
  const connecting = `erp connect --workspace A --provider oracle_fusion --url https://localhost:${port} --user ${USER} --same-erp`;
  const ask = (environment: Record<string, string>) =>
    runCli(`${connecting} --password-stdin`, { DATA_DIR: dataDir, ...environment }, `${PASSWORD}\n`);
  expect((await ask({})).err).toContain("is signed by an authority that the service does not know");
  expect((await ask({ NODE_EXTRA_CA_CERTS: file })).err).toContain("let this user in");
});
