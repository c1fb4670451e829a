import { beforeAll, describe, expect, it } from "vitest";
import { listTasks } from "../../../src/core/tasks/operations/list-tasks.ts";
import { call, walk } from "../../support/lists.ts";
import { connectAssistant, taskRow } from "../../support/rows.ts";
import { storesOf } from "../../support/stores.ts";
import { useBook } from "../../support/use-store.ts";

const id = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
const at = (digit: number): string => `2026-03-0${digit}T09:00:00.000Z`;

describe.each(storesOf(import.meta.url))("listTasks on $name", ({ open }) => {
  const { book, core, store } = useBook(open);
  let [first, second, assignee, formerMember] = ["", "", "", ""];

  beforeAll(async () => {
    const { tenantId } = book;
    first = (await book.invoice({ invoice_number: "T-1" })).invoice.invoice_id;
    second = (await book.invoice({ invoice_number: null })).invoice.invoice_id;
    assignee = (await connectAssistant(store, tenantId)).member.member_id;
    formerMember = (await connectAssistant(store, tenantId)).member.member_id;
    const rows = [
      taskRow(tenantId, first, { task_id: id(1), created_at: at(1), state: "dismissed", dismissed_at: at(5) }),
      taskRow(tenantId, first, { task_id: id(2), created_at: at(2), assignee_id: assignee }),
      taskRow(tenantId, second, {
        task_id: id(3),
        created_at: at(3),
        state: "configured",
        configured_at: at(4),
        assignee_id: formerMember,
      }),
      taskRow(tenantId, second, { task_id: id(4), created_at: at(4), state: "not_needed" }),
    ];
    await store.write(tenantId, async (tx) => {
      await tx.insertInto("tasks").values(rows).execute();
      await tx
        .updateTable("members")
        .set({ removed_at: at(6) })
        .where("tenant_id", "=", tenantId)
        .where("member_id", "=", formerMember)
        .execute();
    });
  });

  it("answers a task's fields, without an assignee who was removed [service.2.5.task] [completions.10.tasks]", async () => {
    const { data } = await call(core, listTasks, book.reader, { order: "asc" });
    expect(data.slice(0, 3)).toMatchObject([
      {
        ...{ id: id(1), type: "payment_arrangement", invoice_id: first, invoice_number: "T-1", customer_name: null },
        ...{ currency: "USD", collection_outstanding: "100.00", assignee_id: null, assignee_name: null },
        ...{ state: "dismissed", configured_at: null, dismissed_at: at(5) },
        ...{ created_at: at(1), updated_at: at(1) },
      },
      { id: id(2), assignee_id: assignee, assignee_name: "Ada Lovelace", state: "open", dismissed_at: null },
      { id: id(3), invoice_number: null, assignee_id: null, assignee_name: null, configured_at: at(4) },
    ]);
  });

  it.each<[filter: object, numbers: number[]]>([
    [{}, [4, 3, 2, 1]],
    [{ state: "open" }, [2]],
    [{ state: "configured" }, [3]],
    [{ state: "dismissed" }, [1]],
    [{ state: "not_needed" }, [4]],
    [{ type: "payment_arrangement" }, [4, 3, 2, 1]],
  ])("filters by %j, newest first [service.4.8.filters]", async (filter, numbers) => {
    const { ids, pages } = await walk(core, listTasks, book.reader, { ...filter, include_total: true }, [1, 2]);
    expect(ids).toEqual(numbers.map(id));
    expect(new Set(pages.map((page) => page.total_count))).toEqual(new Set([numbers.length]));
  });

  it("filters by invoice, together with a state [service.4.8.filters]", async () => {
    expect((await walk(core, listTasks, book.reader, { invoice_id: first })).ids).toEqual([id(2), id(1)]);
    expect((await walk(core, listTasks, book.reader, { invoice_id: second, state: "open" })).ids).toEqual([]);
  });
});
