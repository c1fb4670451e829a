import { describe, expect, it } from "vitest";
import { storesOf } from "../../support/stores.ts";
import { desks } from "./support.ts";

describe.each(storesOf(import.meta.url))("aging filters on $name", ({ open }) => {
  const desk = desks(open);

  it("searches name and number literally, in any case [service.4.10.search]", async () => {
    const { book, summary, customers, installments } = desk();
    const amountsOf = async (input: object) => (await installments(input)).data.map((row) => row.amount);
    const owed = async (name: string | null, number: string | null, amount: string): Promise<void> => {
      const customer = await book.customer({ name, number });
      await book.invoice({ customer }, [{ erp_outstanding: amount }]);
    };
    await owed("Café 100%", "A_1", "1");
    await owed("Café 1000", "AB1", "2");
    await owed("back\\slash", null, "4");
    await owed("ΟΔΥΣΣΕΥΣ ΑΕ", null, "16");
    await book.invoice({
      origin: "local",
      due_date: "2026-03-31",
      customer_name: "CAFÉ NERO",
      collection_outstanding: "8",
    });
    const found = async (search: string) => (await amountsOf({ search })).map(Number).sort((a, b) => a - b);
    expect(await found("cafÉ")).toEqual([1, 2, 8]);
    expect(await found("Cafe\u0301")).toEqual([1, 2, 8]);
    expect(await found("100%")).toEqual([1]);
    expect(await found("_")).toEqual([1]);
    expect(await found("a_1")).toEqual([1]);
    expect(await found("\\")).toEqual([4]);
    for (const part of ["ΟΔΥΣ", "οδυς", "Οδυσσευς", "υσ α"]) expect(await found(part)).toEqual([16]);
    expect(await found("100%a")).toEqual([]);
    expect(await found("100%\nA")).toEqual([]);
    expect((await customers({ search: "NERO" })).data).toMatchObject([{ customer_name: "CAFÉ NERO" }]);
    expect((await summary({ search: "nero" })).totals).toMatchObject([{ outstanding: "8.00" }]);
  });

  it("refuses what is out of bounds, in all three alike [service.4.10.parameters]", async () => {
    const { summary, customers, installments } = desk();
    const wrong: [string, object][] = [
      ["currency", { currency: "usd" }],
      ["currency", { currency: "UNKNOWNS" }],
      ["search", { search: "" }],
      ["search", { search: "x".repeat(201) }],
      ["search", { search: "a\0b" }],
      ["customer_key", { customer_key: "42" }],
      ["customer_key", { customer_key: "unassigned:42" }],
      ["customer_key", { customer_key: `nobody:${crypto.randomUUID()}` }],
      ["bucket", { bucket: "over_60" }],
      ["overdue_only", { overdue_only: "yes" }],
      ["sort", { sort: "due_asc" }],
      ["limit", { limit: 0 }],
      ["limit", { limit: 101 }],
      ["cursor", { cursor: "" }],
      ["cursor", { cursor: "x".repeat(401) }],
      ["as_of", { as_of: "2026-01-01" }],
    ];
    for (const [field, input] of wrong)
      for (const ask of [summary, customers, installments])
        await expect(ask(input), JSON.stringify(input)).rejects.toMatchObject({
          code: "validation_failed",
          details: [expect.objectContaining({ field })],
        });
    expect((await customers({ search: "x".repeat(200), currency: "UNKNOWN", limit: 100 })).data).toEqual([]);
  });
});
