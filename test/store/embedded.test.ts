import { rmSync } from "node:fs";
import { CompiledQuery } from "kysely";
import type pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { namedWhereRepeated } from "../../src/store/driver/statements.ts";
import { EmbeddedProgram } from "../../src/store/embedded/embedded.ts";
import { embeddedConnections } from "../../src/store/server/connections.ts";
import { DATABASE_ROLES } from "../../src/store/tenancy/roles.ts";
import { copyEmbedded } from "../support/stores.ts";

describe("a connection to the embedded store", async () => {
  const dataDir = copyEmbedded();
  const program = await EmbeddedProgram.open(dataDir);
  const pool = embeddedConnections(program, DATABASE_ROLES.tenant);
  afterAll(async () => {
    await pool.end();
    await program.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const only = async (client: pg.PoolClient, text: string): Promise<unknown> => {
    const { rows } = await client.query<Record<string, unknown>>(text);
    return rows[0] === undefined ? undefined : Object.values(rows[0])[0];
  };

  it("that is given up leaves nothing to the next one [isolation.transactions]", async () => {
    const first = await pool.connect();
    await first.query({ name: "known", text: "select 1" });
    await first.query("begin; set local app.tenant_id = 'somebody'; set role postgres");
    first.release(true);
    const second = await pool.connect();
    expect(second).not.toBe(first);
    expect(await only(second, "select current_user::text")).toBe(DATABASE_ROLES.tenant);
    expect(await only(second, "select current_setting('app.tenant_id', true)")).toBeOneOf(["", null]);
    expect(await only(second, "select now() = statement_timestamp()")).toBe(true);
    expect(await only(second, "select count(*)::int from pg_prepared_statements")).toBe(0);
    second.release();
  });

  it("answers what is asked at once in the order it was asked, an error in its place", async () => {
    const client = await pool.connect();
    const answers = await Promise.allSettled([
      only(client, "select 1"),
      only(client, "select 1 / 0"),
      only(client, "select repeat('x', 3000000)"),
      only(client, "select 4"),
    ]);
    expect(answers.map((answer) => (answer.status === "fulfilled" ? String(answer.value).length : "error"))).toEqual([
      1,
      "error",
      3_000_000,
      1,
    ]);
    client.release();
  });
});

describe("statements that come again", () => {
  const statement = (text: string) => CompiledQuery.raw(text, [1]);
  const naming = namedWhereRepeated();

  it("are named from the second time on, each by a name of its own", () => {
    expect(naming(statement("select $1::int"))).toBeUndefined();
    const named = naming(statement("select $1::int"));
    expect(named).toBeDefined();
    expect(naming(statement("select $1::int"))).toBe(named);
    naming(statement("select $1::text"));
    expect(naming(statement("select $1::text"))).not.toBe(named);
  });

  it("are not where they are long, ask for nothing, or are too many", () => {
    const twice = (one: CompiledQuery): string | undefined => naming(one) ?? naming(one);
    expect(twice(CompiledQuery.raw("commit"))).toBeUndefined();
    expect(twice(statement(`insert into t values ${"($1), ".repeat(1_000)}`))).toBeUndefined();
    const another = namedWhereRepeated();
    const statements = Array.from({ length: 1_000 }, (_, index) => statement(`select $1, ${index}`));
    const names = statements.map((one) => another(one) ?? another(one));
    expect(names.filter((one) => one !== undefined)).toHaveLength(500);
  });
});
