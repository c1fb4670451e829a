import { countTokens as tokens } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, describe, expect, it } from "vitest";
import { assertPermitted } from "../../../src/core/gate/permission.ts";
import { getContext } from "../../../src/core/workspace/get-context.ts";
import { type Book, openBook } from "../../support/book.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { call, refusal } from "../../support/lists.ts";
import { connectAssistant } from "../../support/rows.ts";
import { storesOf } from "../../support/stores.ts";
import { useStore } from "../../support/use-store.ts";
import { DOORS } from "../../web/doors/doors.ts";

const operation = getContext((actor) => [`tool of ${actor.kind}`]);

describe.each(storesOf(import.meta.url))("getContext on $name", ({ open }) => {
  const { store } = useStore(open);
  let book: Book;

  beforeAll(async () => {
    book = await openBook(store, { name: "Acme KK", timezone: "Asia/Tokyo" });
  });

  it("says where, who, through what, and what may be called [completions.3.get-context]", async () => {
    const scopes = ["receivables:read", "tasks:write"] as const;
    const { actor, person } = await connectAssistant(store, book.tenantId, { role: "admin", scopes });
    const core = { ...testCore(store), publicOrigin: "https://receivables.example.test" };
    expect(await call(core, operation, actor)).toEqual({
      tenant_id: book.tenantId,
      tenant_name: "Acme KK",
      timezone: "Asia/Tokyo",
      business_date: "2026-03-11",
      member: { id: actor.memberId, email: person.email, name: "Ada Lovelace", role: "admin" },
      connection: {
        id: actor.connectionId,
        client_name: "Assistant",
        scopes: ["receivables:read", "tasks:write"],
        created_at: "2026-03-01T09:00:00.000Z",
        last_used_at: null,
      },
      callable_tools: ["tool of assistant"],
      pages: {
        base: `https://receivables.example.test/{path}?workspace=${book.tenantId}`,
        paths: expect.arrayContaining(["", "invoices", "invoices/{invoice_id}", "payments/held"]),
      },
    });
  });

  it("tells of pages that exist, in few tokens [completions.3.context-pages]", async () => {
    const { actor } = await connectAssistant(store, book.tenantId);
    const { pages } = await call(testCore(store), operation, actor);
    const known = Object.keys(DOORS).map((door) => door.replaceAll(/:\w+/g, ":"));
    for (const path of pages.paths) expect(known).toContain(`GET /${path.replaceAll(/\{\w+\}/g, ":")}`);
    expect(tokens(JSON.stringify(pages))).toBeLessThanOrEqual(150);
  });

  it("takes today from the workspace's own calendar [completions.3.get-context]", async () => {
    const { actor } = await connectAssistant(store, book.tenantId);
    const today = async (instant: string) =>
      (await call(testCore(store, new TestClock(instant)), operation, actor)).business_date;
    expect(await today("2026-03-10T14:59:59.999Z")).toBe("2026-03-10");
    expect(await today("2026-03-10T15:00:00.000Z")).toBe("2026-03-11");
  });

  it("is for assistants, not for keys, and takes no arguments [completions.3.get-context]", async () => {
    const { actor } = await connectAssistant(store, book.tenantId);
    const core = testCore(store);
    expect(() => assertPermitted(operation, book.reader)).toThrow("not for callers of this kind");
    expect(await refusal(call(core, operation, { ...actor, scopes: [] }))).toMatchObject({
      error: { code: "permission_denied" },
    });
    expect(await refusal(call(core, operation, actor, { tenant_id: book.tenantId }))).toMatchObject({
      error: { code: "validation_failed", details: [{ field: "tenant_id" }] },
    });
  });
});
