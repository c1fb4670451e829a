import { type CallToolResult, CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.ts";
import { setRows } from "../support/stored.ts";
import { actsOf, type CollectingViews, openCollectingViews } from "./support/collecting.ts";
import type { Called } from "./support/host.ts";
import { lookAt } from "./support/looks.ts";

/** Longer than a view waits before a second press may confirm. */
const SETTLED_MS = 500;

/** Two presses at once, the second on the button that the first one brings up wherever it is. */
const PRESS_BOTH = `for (const label of ["Create payment link…", "Create link"])
  [...document.querySelectorAll("button")].find((one) => one.textContent === label).click();`;

describe.skipIf(!HAS_CHROMIUM)("presses in a view", () => {
  let views: CollectingViews;

  beforeAll(async () => {
    views = await openCollectingViews();
  });
  afterAll(() => views?.close());

  const activeLinks = async (): Promise<number> =>
    (await views.book.links()).filter(({ state }) => state === "active").length;

  it("make one payment link, which can be copied and withdrawn [facts.views.acts]", async () => {
    const list = await views.openedInvoice(views.admin, "INV-ONE");
    const before = await activeLinks();
    await list.frame.evaluate(PRESS_BOTH);
    const question = list.frame.getByRole("group");
    expect(await question.textContent()).toContain("all that is available, 100.00 USD?");
    expect(actsOf(list)).toEqual([]);
    expect(await lookAt(list, "worklist-question")).toEqual([]);
    await list.page.waitForTimeout(SETTLED_MS);
    await list.frame.getByRole("button", { name: "Create link" }).dblclick();
    const address = list.frame.getByRole("textbox", { name: "Payment link of INV-ONE" });
    expect(await address.inputValue()).toMatch(/^http/);
    expect(await lookAt(list, "worklist-link")).toEqual([]);
    await list.page.waitForTimeout(SETTLED_MS);
    expect(actsOf(list)).toEqual(["create_payment_links"]);
    const [{ args = {} } = {}] = list.calls.filter(({ name }) => name === "create_payment_links");
    expect(args.links).toEqual([expect.objectContaining({ amount_minor: 10_000 })]);
    expect(await activeLinks()).toBe(before + 1);
    await list.frame.getByRole("button", { name: "Withdraw…" }).click();
    await list.page.waitForTimeout(SETTLED_MS);
    await list.frame.getByRole("button", { name: "Withdraw link" }).dblclick();
    await list.frame.getByText("Withdrawn").waitFor();
    expect(actsOf(list)).toEqual(["create_payment_links", "deactivate_payment_link"]);
    expect(await activeLinks()).toBe(before);
    expect(list.complaints).toEqual([]);
  });

  it("wait for a slow network, and are carried out once however often it is tried again [facts.views.acts]", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const answer = async ({ name, args }: Called): Promise<CallToolResult> =>
      CallToolResultSchema.parse(await views.admin.callTool({ name, arguments: args }));
    let isLost = true;
    const onCall = async (called: Called): Promise<CallToolResult> => {
      if (called.name !== "create_payment_links") return answer(called);
      const answered = await answer(called);
      await promise;
      // The service has done it, and nobody hears of it.
      if (isLost) throw new Error("The connection was lost.");
      return answered;
    };
    const list = await views.openedInvoice(views.admin, "INV-SLOW", { onCall });
    const before = await activeLinks();
    await list.frame.getByRole("button", { name: "Create payment link…" }).click();
    await list.page.waitForTimeout(SETTLED_MS);
    await list.frame.getByRole("button", { name: "Create link" }).click();
    await list.frame.getByText("Working…").waitFor();
    expect(await list.frame.getByRole("button", { name: "Create link" }).count()).toBe(0);
    resolve();
    const alert = list.frame.getByRole("alert");
    expect(await alert.textContent()).toContain("It is not known whether this was carried out.");
    isLost = false;
    await list.frame.getByRole("button", { name: "Try again" }).dblclick();
    await list.frame.getByRole("textbox", { name: "Payment link of INV-SLOW" }).waitFor();
    const keys = list.calls
      .filter(({ name }) => name === "create_payment_links")
      .map(({ args }) => args.idempotency_key);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(await activeLinks()).toBe(before + 1);
  });

  it("show that access ended in between, and lose nothing [facts.views.acts]", async () => {
    const { actor, client } = await views.connect("admin");
    const list = await views.openedInvoice(client, "INV-REVOKED");
    const before = await activeLinks();
    await setRows(
      views.opened.store,
      null,
      "assistant_connections",
      { revoked_at: "2026-03-10T15:00:00.000Z" },
      { connection_id: actor.connectionId },
    );
    await list.frame.getByRole("button", { name: "Create payment link…" }).click();
    await list.page.waitForTimeout(SETTLED_MS);
    await list.frame.getByRole("button", { name: "Create link" }).click();
    await list.frame.getByRole("alert").waitFor();
    expect(actsOf(list)).toEqual(["create_payment_links"]);
    expect(await activeLinks()).toBe(before);
    // What was shown is still there.
    expect(await list.frame.getByText("INV-REVOKED").count()).toBe(1);
    await list.frame.getByRole("button", { name: "Cancel" }).click();
    expect(await list.frame.getByRole("button", { name: "Create payment link…" }).count()).toBe(1);
  });

  it("are not offered to a member, without the permission, or where the host calls no tools [facts.views.member]", async () => {
    const { invoice } = await views.book.owing("70.00");
    const args = { invoice_number: invoice.invoice_number };
    const { client: reading } = await views.connect("admin", ["receivables:read"]);
    for (const client of [(await views.connect("member")).client, reading]) {
      const list = await views.openedInvoice(client, client === reading ? "INV-SCOPE" : "INV-MEMBER");
      expect(await list.frame.getByRole("button", { name: /Create|Withdraw/ }).count()).toBe(0);
      await list.close();
    }
    const mute = await views.shown(views.admin, "list_invoices", args, { callsTools: false });
    await mute.frame.getByRole("listitem").first().waitFor();
    expect(await mute.frame.getByRole("button").count()).toBe(0);
    expect(mute.calls).toEqual([]);
  });

  it("in the confirmation withdraw the very link that was made [facts.views.acts]", async () => {
    const { invoice, installments } = await views.book.owing("50.00", "60.00");
    const links = installments.map(({ installment_id }) => ({ invoice_id: invoice.invoice_id, installment_id }));
    const made = await views.shown(views.admin, "create_payment_links", { links, idempotency_key: "confirm-1" });
    await made.frame.getByRole("heading", { name: "2 payment links created" }).waitFor();
    const second = made.frame.getByRole("listitem").filter({ hasText: "60.00" });
    await second.getByRole("button", { name: "Withdraw…" }).click();
    await made.page.waitForTimeout(SETTLED_MS);
    await second.getByRole("button", { name: "Withdraw link" }).dblclick();
    await second.getByText("Withdrawn").waitFor();
    const withdrawn = (await views.book.links()).filter(({ invoice_id: id }) => id === invoice.invoice_id);
    const states = withdrawn.map(({ amount_minor: minor, state }) => `${minor} ${state}`).sort();
    expect(states).toEqual(["5000 active", "6000 deactivated"]);
    expect(actsOf(made)).toEqual(["deactivate_payment_link"]);
  });
});
