import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { loadEncryptionKeys } from "../src/encryption-key.ts";
import { SETTINGS } from "../src/settings.ts";
import { startWarnings } from "../src/start-warnings.ts";

const KEY = Buffer.alloc(32, 5).toString("base64");

describe("the settings", () => {
  it("have defaults that run the demo on this machine [contract.environment]", () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      publicUrl: "http://localhost:3000",
      databaseUrl: null,
      demo: true,
      smtpUrl: null,
      mailFrom: "no-reply@localhost",
      trustedProxies: false,
      rateLimits: true,
      logLevel: "info",
    });
    expect(readConfig({ PORT: "8080", DEMO: "off", PUBLIC_URL: "" })).toMatchObject({
      publicUrl: "http://localhost:8080",
      demo: false,
    });
  });

  it("leave the demo off with a database of one's own", () => {
    expect(readConfig({ DATABASE_URL: "postgres://db/r", ENCRYPTION_KEY: KEY }).demo).toBe(false);
  });

  it("send mail by SMTP where told, from an address of the public host or of one's own [contract.environment]", () => {
    const SMTP_URL = "smtps://user:p%40ss@mail.example.com:465";
    expect(readConfig({ SMTP_URL, PUBLIC_URL: "https://receivables.example.com" })).toMatchObject({
      smtpUrl: SMTP_URL,
      mailFrom: "no-reply@receivables.example.com",
    });
    expect(readConfig({ SMTP_URL, MAIL_FROM: "billing@example.com" }).mailFrom).toBe("billing@example.com");
  });

  it("take proxies as a number of hops or as addresses", () => {
    expect(readConfig({ TRUSTED_PROXIES: "2" }).trustedProxies).toBe(2);
    expect(readConfig({ TRUSTED_PROXIES: "10.0.0.1, loopback" }).trustedProxies).toEqual(["10.0.0.1", "loopback"]);
  });

  it.each([
    ["takes", ["10.0.0.0/8", "10.0.0.1/32", "10.0.0.0/255.0.0.0", "::1", "fd00::/8", "::ffff:10.0.0.1", "uniquelocal"]],
    ["refuses", ["abc", "-1", "1.5", "10.0.0", "10.0.0.0/99", "10.0.0.0/0", "10.0.0.0/x", "::1/129", "10.0.0.0/8/8"]],
    ["refuses", ["10.0.0.0/255.0.255.0", "10.0.0.0/0.0.0.0", "fd00::/255.0.0.0", "10.0.0.1,abc", "loopback/8", ","]],
  ])("%s as proxies what Express does, before anything is opened: %j [contract.environment]", (verdict, texts) => {
    for (const text of texts) {
      const settle = () => readConfig({ TRUSTED_PROXIES: text }).trustedProxies;
      const trust = () => express().set("trust proxy", text.split(","));
      if (verdict === "takes") {
        expect(settle(), text).toEqual([text]);
        expect(trust, text).not.toThrow();
      } else {
        expect(settle, text).toThrow(/^TRUSTED_PROXIES: must be a number of proxies, or addresses such as/);
        expect(trust, text).toThrow(TypeError);
      }
    }
  });

  it.each([
    "postgres://u:p%40ss@db.example.com:5432/r",
    "postgresql://u@/r?host=/var/run/postgresql",
    "postgres://u:100%@db/r",
    "postgres://",
  ])("take %s as a database, as its driver does", (DATABASE_URL) => {
    expect(readConfig({ DATABASE_URL, ENCRYPTION_KEY: KEY }).databaseUrl).toBe(DATABASE_URL);
    expect(() => new pg.Client(DATABASE_URL)).not.toThrow();
  });

  it.each([
    [{ PORT: "99999" }, /^PORT: /],
    [{ PUBLIC_URL: "https://example.com/app" }, /^PUBLIC_URL: must be an origin/],
    [{ PUBLIC_URL: "example.com" }, /^PUBLIC_URL: /],
    [{ DATABASE_URL: "mysql://x" }, /^DATABASE_URL: must be a postgres/],
    [{ DATABASE_URL: "postgres://u:p/w@db/r", ENCRYPTION_KEY: KEY }, /^DATABASE_URL: must be a postgres/],
    [{ DATABASE_URL: "postgres://u:p@ss#w/rd@db/r", ENCRYPTION_KEY: KEY }, /as in %40 for @$/],
    [{ DATABASE_URL: "postgres://u:p@ss/w@db/r", ENCRYPTION_KEY: KEY }, /as in %40 for @$/],
    [{ DATABASE_URL: "postgres://db:99999/r", ENCRYPTION_KEY: KEY }, /^DATABASE_URL: must be a postgres/],
    [{ DATABASE_URL: "postgres://u:%E0%A4@db/r", ENCRYPTION_KEY: KEY }, /^DATABASE_URL: must be a postgres/],
    [{ DATABASE_URL: "postgres://db/r" }, /^ENCRYPTION_KEY: required/],
    [{ ENCRYPTION_KEY: "short" }, /^ENCRYPTION_KEY: must be 32 bytes/],
    [{ DEMO: "yes" }, /^DEMO: /],
    [{ DEMO: "on", PUBLIC_URL: "https://example.com" }, /^DEMO: .*loopback/],
    [{ RATE_LIMITS: "off", PUBLIC_URL: "https://example.com" }, /^RATE_LIMITS: .*loopback/],
    [{ OAUTH_ISSUER: "http://login.example.com" }, /^OAUTH_ISSUER: must be an https address/],
    [{ OAUTH_ISSUER: "https://login.example.com?x=1" }, /^OAUTH_ISSUER: /],
    [{ OAUTH_ISSUER: "https://evil.example.com\\@login.example.com" }, /^OAUTH_ISSUER: /],
    [{ OAUTH_AUDIENCE: "x" }, /^OAUTH_AUDIENCE: has an effect with OAUTH_ISSUER only/],
    [
      { OAUTH_ISSUER: "https://l.example.com", OAUTH_INTROSPECTION_CLIENT_ID: "x" },
      /^OAUTH_INTROSPECTION_CLIENT_SECRET: /,
    ],
    [{ OAUTH_ISSUER: "https://l.example.com", OAUTH_CLIENT_ID_CLAIM: "azp" }, /^OAUTH_CLIENT_ID_CLAIM: /],
    [{ SMTP_URL: "https://mail.example.com" }, /^SMTP_URL: must be an address such as smtp:/],
    [{ SMTP_URL: "mail.example.com" }, /^SMTP_URL: /],
    [{ MAIL_FROM: "Billing" }, /^MAIL_FROM: must be an email address/],
    [{ LOG_LEVEL: "loud" }, /^LOG_LEVEL: /],
  ])("refuse %j with one line that names the setting [contract.environment]", (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });
});

describe("what is told of settings as the service starts", () => {
  const HERE = { publicUrl: "http://localhost:3000" };

  it.each([
    [{ OAUTH_ISUER: "x" }, ["unknown settings are ignored: OAUTH_ISUER (did you mean OAUTH_ISSUER?)"]],
    [
      { DATABSE_URL: "x", MAIL_FORM: "x" },
      [/DATABSE_URL \(did you mean DATABASE_URL\?\), MAIL_FORM \(did you mean MAIL_FROM\?\)$/],
    ],
    [{ DATABASE_POOLSIZE: "5" }, [/DATABASE_POOLSIZE \(did you mean DATABASE_POOL_SIZE\?\)$/]],
    [{ ERP_ENDPOINT: "x" }, ["unknown settings are ignored: ERP_ENDPOINT"]],
    [
      Object.fromEntries([..."ABCDEFG"].map((name) => [`OAUTH_${name.repeat(9)}`, "x"])),
      [/OAUTH_EEEEEEEEE, and 2 more$/],
    ],
    [{ OAUTH_FOO: "" }, []],
  ])("%j is named in one line, with the nearest setting there is", (environment, lines) => {
    const warnings = startWarnings(environment, HERE);
    expect(warnings).toEqual(lines.map((line) => (typeof line === "string" ? line : expect.stringMatching(line))));
  });

  it("is nothing of what other programs read", () => {
    const names = [
      ...[
        "PATH",
        "HOME",
        "HOSTNAME",
        "LOGNAME",
        "LANG",
        "TERM",
        "TEMP",
        "PWD",
        "MAIL",
        "SHELL",
        "NODE_ENV",
        "INIT_CWD",
      ],
      ...["PGHOST", "PGPORT", "OTEL_SERVICE_NAME", "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_TRACES_SAMPLER", "http_proxy"],
      ...[
        "npm_config_user_agent",
        "npm_package_name",
        "KUBERNETES_SERVICE_HOST",
        "RECEIVABLES_PORT",
        "POSTGRES_PASSWORD",
      ],
    ];
    expect(startWarnings(Object.fromEntries([...names, ...SETTINGS].map((name) => [name, "x"])), HERE)).toEqual([]);
  });

  it("is that passwords pass in the clear, where the public address is http and leads beyond this machine", () => {
    for (const publicUrl of ["http://localhost:3000", "http://127.0.0.1", "http://[::1]:8080", "https://a.example.com"])
      expect(startWarnings({}, { publicUrl })).toEqual([]);
    expect(startWarnings({}, { publicUrl: "http://10.0.0.5:3000" })).toEqual([
      "PUBLIC_URL: http://10.0.0.5:3000 is not https: passwords and tokens can be read on their way",
    ]);
  });
});

describe("the encryption key", () => {
  it("is made once, kept private, and stays the same [contract.encryption-key]", () => {
    const dataDir = mkdtempSync(join(tmpdir(), "receivables-key-"));
    const settings = { encryptionKey: null, previousEncryptionKey: null, dataDir };
    const { current: first } = loadEncryptionKeys(settings);
    expect(first.byteLength).toBe(32);
    expect(loadEncryptionKeys(settings).current.equals(first)).toBe(true);
    expect(statSync(join(dataDir, "encryption.key")).mode & 0o777).toBe(0o600);
    writeFileSync(join(dataDir, "encryption.key"), "broken");
    expect(() => loadEncryptionKeys(settings)).toThrow(/32-byte key/);
    rmSync(dataDir, { recursive: true });
  });
});
