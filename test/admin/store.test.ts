import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StoreDescription } from "../../src/core/workspace/describe-store.ts";
import { sizesOf } from "../../src/store/placement/sizes.ts";
import { openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { STORES, type TestStore } from "../support/stores.ts";
import { type Run, terminalOn } from "./support.ts";

describe("the size of what lies in a store", () => {
  it("is a tenant's share of the rows that lie together [scale.describe]", () => {
    const part = (table: string, place: string, node: string | null, bytes: number) => ({
      ...{ table, place, node, bytes, isAlone: place === "9" },
    });
    const parts = [
      part("invoices", "1", "a:1", 1_000),
      part("invoices", "9", "b:1", 300),
      part("tasks", "1", "a:1", 90),
      part("people", "", null, 7),
    ];
    const tenants = [
      { id: "small", name: "Small", place: "1" },
      { id: "large", name: "Large", place: "1" },
      { id: "own", name: "Own", place: "9" },
      { id: "away", name: null, place: "1" },
    ];
    const counts = [
      { table: "invoices", tenantId: "small", rows: 1 },
      { table: "invoices", tenantId: "large", rows: 9 },
      { table: "tasks", tenantId: "small", rows: 3 },
      { table: "invoices", tenantId: "own", rows: 5 },
    ];
    expect(sizesOf({ parts, tenants, counts })).toEqual({
      bytes: 1_397,
      nodes: [
        { node: "a:1", tenants: 3, bytes: 1_090 },
        { node: "b:1", tenants: 1, bytes: 300 },
      ],
      tenants: [
        { id: "large", name: "Large", place: "1", node: "a:1", isAlone: false, rows: 9, bytes: 900 },
        { id: "own", name: "Own", place: "9", node: "b:1", isAlone: true, rows: 5, bytes: 300 },
        { id: "small", name: "Small", place: "1", node: "a:1", isAlone: false, rows: 4, bytes: 190 },
        { id: "away", name: null, place: "1", node: "a:1", isAlone: false, rows: 0, bytes: 0 },
      ],
      tables: [
        { table: "invoices", rows: 15, bytes: 1_300 },
        { table: "tasks", rows: 3, bytes: 90 },
        { table: "people", rows: null, bytes: 7 },
      ],
    });
  });
});

describe.each(STORES)("the store at the terminal, $name", ({ name, open }) => {
  let opened: TestStore;
  let admin: (line: string) => Promise<Run>;
  beforeAll(async () => {
    opened = await open();
    admin = terminalOn(testCore(opened.store));
  });
  afterAll(() => opened.remove());

  it("is described: its kind, how large it is, and how large each workspace and table [scale.describe]", async () => {
    const book = await openBook(opened.store, { name: "Large" });
    await book.invoice({}, [{}]);
    await openBook(opened.store, { name: "Small" });
    const { code, out, err } = await admin("store describe --json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { kind, size_bytes, workspaces, workers, tables } = StoreDescription.parse(JSON.parse(out));
    expect(kind).toBe({ "the embedded store": "embedded", PostgreSQL: "postgresql", Citus: "citus" }[name]);
    const [large, small] = workspaces;
    expect([large?.name, small?.name]).toEqual(["Large", "Small"]);
    expect(large?.rows).toBeGreaterThan(small?.rows ?? Number.POSITIVE_INFINITY);
    expect(large?.size_bytes).toBeGreaterThan(0);
    expect(tables).toContainEqual({ table: "invoices", rows: 1, size_bytes: expect.any(Number) });
    expect(tables.find(({ table }) => table === "people")?.rows).toBeNull();
    expect(size_bytes).toBe(tables.reduce((sum, { size_bytes: size }) => sum + size, 0));
    const isDistributed = kind === "citus";
    expect(workers).toHaveLength(isDistributed ? 2 : 0);
    expect(workspaces.every(({ worker }) => (worker !== null) === isDistributed)).toBe(true);
    const text = (await admin("store describe")).out;
    expect(text).toMatch(/^size +[\d.]+ [kM]B$/m);
    expect(text).toMatch(/^[0-9a-f-]{36} +Large /m);
  });

  it.skipIf(name === "Citus")("moves no workspace where there is one server [scale.move]", async () => {
    await admin("workspace create --name Moving --timezone UTC");
    expect(await admin("store move --workspace Moving --to 127.0.0.1:5432")).toEqual({
      code: 1,
      out: "",
      err: "error: All workspaces lie on one server: there are no workers to move them between.\n",
    });
  });
});
