import { describe, expect, inject, it } from "vitest";
import { systemClock } from "../../src/core/kernel/calendar.ts";
import { openPostgres } from "../../src/store/database.ts";
import { testCore } from "../support/core.ts";
import { freePort } from "../support/server.ts";
import { createDatabase } from "../support/stores.ts";
import { runCli, terminalOn } from "./support.ts";

describe("a command whose database is away", () => {
  it("says in one line which setting leads nowhere, and why", async () => {
    const port = await freePort();
    const env = {
      DATABASE_URL: `postgres://operator:letters@127.0.0.1:${port}/receivables`,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    };
    expect(await runCli("workspace list", env)).toEqual({
      code: 1,
      out: "",
      err: `error: DATABASE_URL: no PostgreSQL at 127.0.0.1:${port}: nothing listens there\n`,
    });
  });

  it.skipIf(inject("postgresUrl") === null)("says so as well where it goes away while the command works", async () => {
    const { databaseUrl, drop } = await createDatabase();
    const store = await openPostgres(databaseUrl);
    try {
      await drop();
      expect(await terminalOn(testCore(store, systemClock))("workspace list")).toEqual({
        code: 1,
        out: "",
        err: "error: The service cannot reach its database just now. Try again.\n",
      });
    } finally {
      await store.close();
    }
  });
});
