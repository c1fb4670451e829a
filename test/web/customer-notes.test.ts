import { describe, expect, it } from "vitest";
import { listAttention } from "../../src/core/attention/list-attention.ts";
import {
  addCustomerNote,
  changeCustomerNote,
  completeCustomerNote,
  removeCustomerNote,
} from "../../src/core/customers/operations/customer-notes.ts";
import { listCustomerHistory } from "../../src/core/customers/operations/list-customer-history.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { officeOf } from "../support/customer-office.ts";
import { rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const NOTE_ACTS = [addCustomerNote, changeCustomerNote, completeCustomerNote, removeCustomerNote, listCustomerHistory];

describe.each(A_STORE)("a note about a customer, on $name", ({ open }) => {
  const site = useAuthApp(open);

  async function office() {
    const at = await officeOf(site.app);
    const { book } = at;
    const needs = async () => {
      const list = await operate(site.app.core, book.tenantId, listAttention, {});
      return list.map(({ kind, detail, since, customer_name: name }) => ({ kind, detail, since, name }));
    };
    return { ...at, needs };
  }

  it("needs a person from its day on until it is done [pages.run.notes]", async () => {
    const { store, book, browser, member, needs, path, customer } = await office();
    site.clock.set("2026-03-01T09:00:00.000Z");
    const empty = await browser.submit(await browser.open(path), "Add note", { text: "   " });
    expect([empty.status, empty.text]).toEqual([400, expect.stringContaining("It must not be empty.")]);
    expect(empty.html.match(/<[^>]* autofocus/g)).toEqual(['<p class="alert" role="alert" tabindex="-1" autofocus']);
    const long = await browser.submit(empty, "Add note", { text: "a".repeat(1_001) });
    expect([long.status, long.text]).toEqual([
      400,
      expect.stringContaining("It must have at most 1000 characters, not 1001."),
    ]);
    expect(long.html).toContain(`\n${"a".repeat(1_001)}</textarea>`);
    // Each is two characters once it is composed.
    expect((await browser.submit(empty, "Add note", { text: "\u09DC".repeat(600) })).status).toBe(400);
    expect(long.html).not.toMatch(/<textarea[^>]* maxlength/);
    const typed = { text: "Promised <b>half</b>\nby Friday", due_on: "2026-03-06" };
    const kept = await browser.submit(empty, "Add note", typed);
    expect(kept.text).toContain("The note is kept.");
    const words = "Promised <b>half</b> by Friday";
    expect(kept.text).toMatch(/Note [\w@.-]+: Promised <b>half<\/b> by Friday To come back to on 6 Mar 2026/);
    // In Auckland the day begins at 11:00 UTC of the day before.
    site.clock.set("2026-03-05T10:59:59.999Z");
    expect(await needs()).toEqual([]);
    expect((await browser.open("/attention")).text).not.toContain(words);
    site.clock.set("2026-03-05T11:00:00.000Z");
    const due = { kind: "note_due", detail: words, since: "2026-03-05T11:00:00.000Z", name: "Globex" };
    expect(await needs()).toEqual([due]);
    expect((await member.open("/attention")).text).toMatch(/A note Come back to it.*Globex.*Promised/);
    expect((await member.open(path)).text).not.toContain("Mark as done");
    const done = await browser.submit(await browser.open(path), "Mark as done");
    expect(done.text).toContain("The note is done.");
    expect(await needs()).toEqual([]);
    expect((await member.open(path)).text).not.toContain("Mark as open again");
    expect((await browser.submit(done, "Mark as open again")).text).toContain("The note is open again.");
    expect(await needs()).toEqual([due]);
    await browser.submit(await browser.open(path), "Mark as done");
    expect(await rowsOf(store, book.tenantId, "customer_notes")).toMatchObject([
      { done_at: "2026-03-05T11:00:00.000Z" },
    ]);
    const entries = await site.app.trail(book.tenantId, "addCustomerNote");
    expect(entries).toMatchObject([{ object_id: customer.customer_id, actor_kind: "person", outcome: "succeeded" }]);
    expect(JSON.stringify(entries)).not.toContain("Promised");
  });

  it("takes a day from today on, is changed and removed [pages.run.notes]", async () => {
    site.clock.set("2026-03-02T09:00:00.000Z");
    const { store, book, browser, member, path, customer } = await office();
    const page = await browser.open(path);
    const twice = [page, page].map((form) =>
      browser.submit(form, "Add note", { text: "Promised half", due_on: "2026-03-02" }),
    );
    for (const sent of await Promise.all(twice)) expect(sent.text).toContain("The note is kept.");
    expect(await rowsOf(store, book.tenantId, "customer_notes")).toHaveLength(1);
    site.clock.set("2026-03-02T11:00:00.000Z");
    // In Auckland it is the third already.
    for (const due_on of ["2026-03-02", "2028-03-05"]) {
      const refused = await browser.submit(await browser.open(path), "Add note", { text: "Promised half", due_on });
      expect([refused.status, refused.text], due_on).toEqual([
        400,
        expect.stringContaining("It must be today or later, and at most two years ahead."),
      ]);
      expect(refused.formWith("Add note").fields.due_on).toBe(due_on);
      expect(refused.html).toContain("\nPromised half</textarea>");
    }
    const [{ note_id: id } = { note_id: "" }] = await rowsOf(store, book.tenantId, "customer_notes");
    expect((await member.open(`${path}?note=${id}`)).html).not.toContain("Save note");
    const change = `${path}?note=${id}#note-text`;
    expect((await browser.open(path)).html).toContain(`href="${change}"`);
    const form = await browser.open(change);
    expect(form.formWith("Save note").fields.due_on).toBe("2026-03-02");
    expect(form.html).toContain("\nPromised half</textarea>");
    const early = await browser.submit(form, "Save note", { text: "Promised all", due_on: "2026-03-01" });
    expect([early.status, early.text]).toEqual([400, expect.stringContaining("It must be today or later")]);
    expect((await browser.submit(form, "Save note", { text: "Promised all" })).text).toContain("The note is kept.");
    const late = await browser.submit(form, "Save note", { text: "Promised\nnothing" });
    expect([late.status, late.text]).toEqual([
      409,
      expect.stringContaining("by now: “Promised all (to come back to on 2 Mar 2026)”. Save it"),
    ]);
    expect(late.html).toContain("\nPromised\nnothing</textarea>");
    for (const text of ["Promised\nnothing", "Promised all"])
      expect((await browser.submit(await browser.open(change), "Save note", { text })).text).toContain(
        "The note is kept.",
      );
    const colleague = (await site.app.newcomer("admin", book.tenantId)).browser;
    await colleague.submit(await colleague.open(change), "Save note", {
      text: "Promised all",
      due_on: "2026-03-20",
    });
    expect((await browser.open(path)).text).toMatch(/: Promised all To come back to on 20 Mar 2026/);
    const [note] = await rowsOf(store, book.tenantId, "customer_notes");
    const [added] = await site.app.trail(book.tenantId, "addCustomerNote");
    expect(note).toMatchObject({ text: "Promised all", due_on: "2026-03-20", author_id: added?.actor_id });
    const meanwhile = await browser.open(change);
    await colleague.submit(await colleague.open(change), "Save note", { text: "Promised all", due_on: "2026-03-21" });
    for (const button of ["Save note", "Remove note"]) {
      const refused = await browser.submit(meanwhile, button, { text: "Promised it all" });
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("come back to on 21 Mar 2026)”. ")]);
    }
    const gone = await colleague.submit(await colleague.open(change), "Remove note");
    expect(gone.text).toContain("The note is removed.");
    expect(await rowsOf(store, book.tenantId, "customer_notes")).toEqual([]);
    expect(await site.app.trail(book.tenantId, "changeCustomerNote")).toHaveLength(5);
    expect(await site.app.trail(book.tenantId, "removeCustomerNote")).toMatchObject([
      { object_id: customer.customer_id },
    ]);
  });

  it("is shown as it was typed where its change is refused, however old it is [pages.run.notes]", async () => {
    const { book, browser, customer, path } = await office();
    const add = (text: string) =>
      operate(site.app.core, book.tenantId, addCustomerNote, { customerId: customer.customer_id, text });
    const { id } = await add("Promised half");
    for (let n = 0; n < 25; n += 1) {
      site.clock.advance(60_000);
      await add(`Called ${n}`);
    }
    const form = await browser.open(`${path}?note=${id}&older=20`);
    const refused = await browser.submit(form, "Save note", { text: "Promised all", due_on: "2020-01-01" });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("It must be today or later")]);
    expect(refused.html).toContain("\nPromised all</textarea>");
    const kept = await browser.submit(refused, "Save note", { text: "Promised all", due_on: "" });
    expect(kept.text).toContain("The note is kept.");
    const early = await browser.submit(form, "Save note", { text: "Promised nothing", due_on: "2026-13-45" });
    expect(early.status).toBe(400);
    const late = await browser.submit(early, "Save note", { text: "Promised nothing", due_on: "" });
    expect([late.status, late.text]).toEqual([409, expect.stringContaining("by now: “Promised all”.")]);
    await operate(site.app.core, book.tenantId, changeCustomerNote, { id, text: "Called back" });
    const later = await browser.submit(late, "Save note", { text: "Promised nothing", due_on: "" });
    expect([later.status, later.text]).toEqual([409, expect.stringContaining("by now: “Called back”.")]);
    await operate(site.app.core, book.tenantId, removeCustomerNote, { id });
    const gone = await browser.submit(later, "Save note", { text: "Promised nothing", due_on: "2026-12-01" });
    expect([gone.status, gone.text]).toEqual([409, expect.stringContaining("Somebody removed this note meanwhile.")]);
    expect(gone.formWith("Add note").fields.due_on).toBe("2026-12-01");
    const again = await browser.submit(gone, "Add note", { text: "Promised nothing", due_on: "" });
    expect(again.text).toContain("The note is kept.");
    site.clock.advance(60_000);
    const { id: written } = await add("\u5B57".repeat(1_000));
    const opened = await browser.open(`${path}?note=${written}`);
    const longest = await browser.submit(opened, "Save note", { text: "\u6587".repeat(1_000) });
    expect(longest.text).toContain("The note is kept.");
  });

  it("is done once, and found by nobody else [pages.run.notes]", async () => {
    const { book, customer, path } = await office();
    const { core } = site.app;
    const { id } = await operate(core, book.tenantId, addCustomerNote, {
      customerId: customer.customer_id,
      text: "Once",
    });
    for (const _ of [1, 2]) await operate(core, book.tenantId, completeCustomerNote, { id });
    expect(await site.app.trail(book.tenantId, "completeCustomerNote")).toHaveLength(1);
    const other = await openBook(core.store);
    for (const refused of [
      () => operate(core, other.tenantId, completeCustomerNote, { id }),
      () => operate(core, other.tenantId, changeCustomerNote, { id, text: "No" }),
      () => operate(core, other.tenantId, removeCustomerNote, { id }),
      () => operate(core, other.tenantId, addCustomerNote, { customerId: customer.customer_id, text: "No" }),
    ])
      await expect(refused()).rejects.toMatchObject({ code: "not_found" });
    const asked = { customerId: customer.customer_id };
    expect(await operate(core, other.tenantId, listCustomerHistory, asked)).toEqual([]);
    const stranger = (await site.app.newcomer("admin", other.tenantId)).browser;
    expect((await stranger.open(path)).status).toBe(404);
  });

  it("is no operation of a key or an assistant [pages.run.notes]", () => {
    for (const { callers, scope } of NOTE_ACTS)
      expect({ callers, scope }).toEqual({ callers: ["person", "operator"], scope: null });
  });
});
