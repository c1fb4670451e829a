import { describe, expect, it } from "vitest";
import { sendForm, useCollectingPages } from "../support/collecting-pages.ts";
import { addRows, setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const FAILED = {
  erp_push_status: "failed",
  erp_push_error: { code: "reversed", erp: "<script>alert(1)</script> not open" },
} as const;

describe.each(A_STORE)("the pages of receipts, $name", ({ open }) => {
  const workspace = useCollectingPages(open);

  it("say why a receipt failed, with the ERP's words apart and inert, and push it again once [pages.run.receipts]", async () => {
    const { signedIn, paid, audited } = await workspace();
    const id = await paid(FAILED);
    const browser = await signedIn();
    const page = await browser.open(`/payments/${id}`);
    expect(page.html).toContain("<strong>The ERP has reversed this receipt.</strong>");
    expect(page.html).toContain("<blockquote>&lt;script&gt;alert(1)&lt;/script&gt; not open</blockquote>");
    expect(page.text).toContain("Globex <b>");
    const [first, second] = await Promise.all([1, 2].map(() => sendForm(browser, page, "Push it again")));
    for (const answer of [first, second])
      expect([answer?.status, answer?.text]).toEqual([200, expect.stringContaining("The receipt is queued")]);
    expect(await audited("pushPayment")).toEqual(["person: payment succeeded"]);
    const again = await sendForm(browser, page, "Push it again", [["once", "another"]]);
    expect([again.status, again.text]).toEqual([
      409,
      expect.stringContaining("The receipt is queued already (pending)."),
    ]);
    expect((await browser.open(`/payments/${id}/push`)).url.pathname).toBe(`/payments/${id}`);
  });

  it("tell a payment's history, and follow a push until it has ended [pages.run.history] [pages.run.notices]", async () => {
    const { app, tenantId, signedIn, paid } = await workspace();
    const id = await paid(FAILED);
    const browser = await signedIn();
    const before = await browser.open(`/payments/${id}`);
    expect(before.text).toContain("Nothing is in the audit trail about it.");
    const closed = await paid({ ...FAILED, erp_push_error: { code: "closed_period" } });
    for (const path of [`/payments/${closed}`, "/attention"])
      expect((await browser.open(path)).text.match(/Open the (accounting )?period/g)).toEqual([
        "Open the accounting period",
      ]);
    const pushed = await sendForm(browser, before, "Push it again");
    expect(pushed.text).toContain("The receipt is queued");
    expect(pushed.html).toContain("data-live");
    expect(pushed.html).not.toContain("Settle by hand");
    expect(pushed.text).toMatch(
      /History In the audit trail History When What Who Through .* Push payment Receipt: Failed → Queued .*@example\.com These pages/,
    );
    const trail = await browser.open(pushed.linkTo("In the audit trail"));
    expect(trail.text).toContain("One object");
    expect(trail.html.match(/<data value=/g)).toHaveLength(1);
    await setRows(app.core.store, tenantId, "payments", { erp_push_status: "failed" });
    const after = await browser.openDone(`/payments/${id}?done=pushed`);
    expect(after.text).not.toContain("The receipt is queued");
    expect(after.html).not.toContain("data-live");
    const member = await (await signedIn("member")).open(`/payments/${id}`);
    expect(member.text).not.toMatch(/History|erp\.example\.test/);
  });

  it("say what to do about one that is on its way for a day, on its page and in the list [pages.run.receipts]", async () => {
    const { signedIn, paid, clock } = await workspace();
    const now = clock.now().toISOString();
    const [late, fresh] = [await paid({}), await paid({ confirmed_at: now, paid_at: now })];
    const browser = await signedIn();
    const LATE =
      "The service keeps trying to push it, and it is not in the ERP yet. See that the ERP answers. If it does, ask the operator of this service";
    expect((await browser.open(`/payments/${late}`)).text).toContain(LATE);
    const calm = (await browser.open(`/payments/${fresh}`)).text;
    expect([calm.includes(LATE), calm.includes("It is queued, and written to the ERP by itself.")]).toEqual([
      false,
      true,
    ]);
    for (const path of ["/", "/attention"]) {
      const list = await browser.open(path);
      expect([list.text.match(/Receipt late/g), list.text.includes(LATE)], path).toEqual([["Receipt late"], true]);
      expect(list.html).toContain(`href="/payments/${late}"`);
    }
  });

  it("show what held receipts come to, by currency, before they are pushed, and push each once [pages.run.held]", async () => {
    const { signedIn, paid, audited } = await workspace();
    const held = { erp_push_status: "held" } as const;
    const ids = [
      await paid(held),
      await paid({ ...held, currency: "EUR", amount: "250.50", amount_minor: "25050" }),
      await paid({ ...held, amount: "5", amount_minor: "500" }),
    ];
    const browser = await signedIn();
    const list = await browser.open("/payments/held");
    expect(list.text).toContain("3 receipts: 250.50 EUR, 15.00 USD");
    const none = await sendForm(browser, list, "Push the chosen ones");
    expect([none.status, none.text]).toEqual([
      400,
      expect.stringContaining("Choose at least one receipt that is held."),
    ]);
    const two = await sendForm(
      browser,
      list,
      "Push the chosen ones",
      ids.slice(0, 2).map((id) => ["payment", id]),
    );
    expect(two.text).toContain("Push 2 receipts to Oracle Fusion? 1 receipt 250.50 EUR 1 receipt 10.00 USD");
    const all = await sendForm(browser, list, "Push all 3");
    expect(all.text).toContain("Push 3 receipts to Oracle Fusion? 1 receipt 250.50 EUR 2 receipts 15.00 USD");
    const named = ids.slice(0, 2).map((id) => ["payment", id] as const);
    const pushed = await Promise.all([1, 2].map(() => sendForm(browser, two, "Push 2 receipts", named)));
    for (const answer of pushed) expect(answer.text).toContain("The receipts are queued, and soon in the ERP.");
    expect(await audited("pushHeldPayments")).toEqual(["person: payment_batch succeeded"]);
    const changed = await sendForm(browser, all, "Push 3 receipts");
    expect([changed.status, changed.text]).toEqual([
      409,
      expect.stringContaining("What is held has changed since it was shown. Nothing was pushed."),
    ]);
    const rest = await sendForm(browser, await browser.open("/payments/held"), "Push it");
    const [done, replayed] = [
      await sendForm(browser, rest, "Push 1 receipt"),
      await sendForm(browser, rest, "Push 1 receipt"),
    ];
    for (const answer of [done, replayed]) expect(answer.text).toContain("The receipt is queued");
    expect(done.text).toContain("No receipt is held.");
    expect(await audited("pushHeldOfConnection")).toEqual(["person: erp_connection succeeded"]);
  });

  it("push a held receipt from its payment only after showing it [pages.run.held]", async () => {
    const { signedIn, paid } = await workspace();
    const browser = await signedIn();
    const page = await browser.open(`/payments/${await paid({ erp_push_status: "held" })}`);
    const review = await sendForm(browser, page, "Push it now");
    expect(review.text).toContain("Push 1 receipt to Oracle Fusion? 1 receipt 10.00 USD");
    expect((await sendForm(browser, review, "Push 1 receipt")).text).toContain("The receipt is queued");
  });

  it("settle a receipt by a number that the ERP shows, or unchecked, and undo that [pages.run.settle]", async () => {
    const { app, tenantId, signedIn, paid, audited } = await workspace();
    const { core } = app;
    const other = await paid(FAILED);
    const admin = await signedIn();
    const cut = await sendForm(admin, await admin.open(`/payments/${other}`), "Settle by hand", [
      ["receipt_number", "CHK-0"],
    ]);
    expect([cut.status, cut.boxes]).toEqual([422, { unchecked: false }]);
    expect(cut.html).toContain('value="CHK-0"');
    expect(cut.text).toContain("The ERP is disconnected, so it cannot be asked. Reconnect it first.");
    await core.store.write(tenantId, async (tx) => {
      const [connection] = await tx
        .selectFrom("erp_connections")
        .selectAll()
        .where("tenant_id", "=", tenantId)
        .execute();
      const credential = core.secrets.encrypt("p", `erp_connections/${connection?.connection_id}`);
      const nobody = { base_url: "http://127.0.0.1:9", credential };
      await tx.updateTable("erp_connections").set(nobody).where("tenant_id", "=", tenantId).execute();
    });
    const id = await paid(FAILED);
    const browser = await signedIn();
    const page = await browser.open(`/payments/${id}`);
    expect(page.html).toMatch(/<input[^>]* name="receipt_number"/);
    expect(page.html).not.toMatch(/<input[^>]* name="receipt_number"[^>]* maxlength/);
    const empty = await sendForm(browser, page, "Settle by hand", [["receipt_number", "x".repeat(31)]]);
    expect(empty.status).toBe(400);
    expect(empty.text).toContain("It must be 1 to 30 printable characters");
    const refused = await sendForm(browser, page, "Settle by hand", [["receipt_number", 'CHK-"1"']]);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("It cannot be looked up: ")]);
    expect(refused.html).toContain('value="CHK-&quot;1&quot;"');
    const unchecked = [
      ["receipt_number", "CHK-1"],
      ["unchecked", "on"],
    ] as const;
    const settled = await Promise.all([1, 2].map(() => sendForm(browser, refused, "Settle by hand", unchecked)));
    for (const answer of settled) expect(answer.text).toContain("Settled by a receipt number that was not looked up");
    expect(await audited("settleReceiptByHand")).toEqual(["person: payment succeeded"]);
    expect(settled[0]?.text).toContain("Receipt number CHK-1");
    const undone = await sendForm(browser, settled[0] ?? page, "Undo it and push the receipt");
    expect(undone.text).toContain("The receipt is queued");
  });

  it("tell a member that an admin can act only where they can, and what to do where the money of a reversed one did not come [pages.run.receipts]", async () => {
    const { app, tenantId, signedIn, paid, clock } = await workspace();
    await setRows(app.core.store, tenantId, "erp_connections", { apply_mode: "automatch" });
    const [admin, member] = [await signedIn(), await signedIn("member")];
    const confirmed_at = new Date(clock.now().getTime() - 2 * 24 * 60 * 60_000).toISOString();
    const matching = await paid({ erp_push_status: "posted", confirmed_at, erp_receipt_id: "1" });
    const reversed = await paid({ erp_push_status: "reversed", erp_receipt_id: "2" });
    for (const [id, canAct] of [
      [matching, false],
      [reversed, true],
    ] as const) {
      const page = `/payments/${id}`;
      expect((await admin.open(page)).html.includes(`action="${page}/`), id).toBe(canAct);
      expect((await member.open(page)).text.includes("An admin of the workspace can do something"), id).toBe(canAct);
    }
    expect((await member.open(`/payments/${reversed}`)).text).toContain(
      "have it paid another way, and settle this payment by the number of the receipt for that.",
    );
  });

  it("list what needs a person, and take it off once it is dealt with [pages.run.attention]", async () => {
    const { app, tenantId, signedIn, paid, audited } = await workspace();
    const failed = await paid(FAILED);
    const refunded = await paid({ erp_push_status: "applied", applied_at: "2026-03-01T10:00:00.000Z" });
    const itemId = app.core.newId();
    await addRows(app.core.store, tenantId, {
      attention_items: {
        ...{ tenant_id: tenantId, attention_item_id: itemId, kind: "payment_refunded", subject: "pi_1" },
        ...{ payment_id: refunded, payment_link_id: null, invoice_id: null, amount_minor: "500", currency: "USD" },
        ...{ occurred_at: "2026-03-02T09:00:00.000Z", created_at: "2026-03-02T09:00:00.000Z", resolved_at: null },
      },
    });
    const browser = await signedIn();
    const page = await browser.open("/attention");
    expect(page.html).toContain(`href="/payments/${failed}"`);
    expect(page.text).toContain("5.00 USD Refunded");
    // One name of an ERP, with no host, wherever people read of it.
    expect(page.text).toMatch(/ · Oracle Fusion (?!at)/);
    for (const path of [`/payments/${failed}`, "/erp-connections"])
      expect((await browser.open(path)).text, path).toMatch(/ Oracle Fusion (?!at|Cloud)/);
    const { text } = await browser.open(`/payments/${refunded}`);
    expect(text).toContain("Needs a person 5.00 USD");
    expect(text).toContain("The ERP has the receipt, applied to its invoice.");
    expect(text).not.toContain("nothing to do");
    const done = await sendForm(browser, page, "Mark as dealt with");
    expect(done.text).toContain("Marked as dealt with.");
    expect(done.text).not.toContain("5.00 USD Refunded");
    await sendForm(browser, page, "Mark as dealt with");
    expect(await audited("resolveAttentionItem")).toEqual(["person: attention_item succeeded"]);
    const payment = await browser.open(`/payments/${refunded}`);
    expect(payment.text).toContain("Dealt with 5.00 USD Refunded");
    expect(payment.text).toMatch(/History When What Who Through .+ Resolve attention item/);
    const again = await sendForm(browser, payment, "Mark as open again");
    expect(again.text).toContain("It is open again.");
    expect(again.text).toContain("5.00 USD Refunded");
    expect((await browser.open(`/payments/${refunded}`)).text).toContain("Needs a person 5.00 USD");
    expect((await (await workspace()).signedIn().then((other) => other.open("/attention"))).text).toContain(
      "Nothing needs a person.",
    );
  });
});
