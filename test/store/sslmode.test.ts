import pg from "pg";
import { describe, expect, it } from "vitest";
import { parseDatabaseUrl } from "../../src/database-url.ts";

/** Each way of asking for TLS, or of doing without. */
const PARAMETERS = [
  ...["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify", "unheard-of"].map(
    (mode) => `sslmode=${mode}`,
  ),
  ...["sslmode=disable&sslmode=require", "sslmode=require&sslmode=disable", "ssl%6Dode=requir%65"],
  ...[
    "uselibpqcompat=true&sslmode=require",
    "uselibpqcompat=true&sslmode=prefer",
    "sslmode=require&uselibpqcompat=true",
  ],
  ...["uselibpqcompat=false&sslmode=prefer", "ssl=true", "sslnegotiation=direct&sslmode=require", "application_name=x"],
];

const tlsOf = (connectionString: string): unknown => Object(new pg.Client({ connectionString })).ssl;
const urlWith = (parameters: string): string => `postgres://u:p@db.example.com/r?${parameters}`;

function readable(parameters: string): string {
  const address = parseDatabaseUrl(urlWith(parameters));
  if (typeof address === "string") throw new Error(address);
  return address.connectionString;
}

describe("sslmode in a database's URL", () => {
  it("is put so that the driver has nothing to warn of, and means what it meant to it", async () => {
    const warnings: string[] = [];
    const listen = (warning: Error): void => void warnings.push(warning.message);
    process.on("warning", listen);
    const ours = PARAMETERS.map((parameters) => tlsOf(readable(parameters)));
    await new Promise((told) => setImmediate(told));
    expect(warnings).toEqual([]);
    // The driver warns once in a process: what it says itself comes last.
    const its = PARAMETERS.map((parameters) => tlsOf(urlWith(parameters)));
    await new Promise((told) => setImmediate(told));
    process.off("warning", listen);
    expect(ours).toEqual(its);
    expect(warnings).toEqual([expect.stringContaining("'verify-full'")]);
  });
});
