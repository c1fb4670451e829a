import { describe, expect, it } from "vitest";
import { sendForm, useCollectingPages } from "../support/collecting-pages.ts";
import { mailedLinkRow } from "../support/furnish.ts";
import { taskRow } from "../support/rows.ts";
import { addRows, rowsOf, setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("the pages of payment links, $name", ({ open }) => {
  const workspace = useCollectingPages(open);

  async function mailed() {
    const pages = await workspace();
    const { app, tenantId, owing } = pages;
    const { invoiceId, installments } = await owing("100.00");
    const [installment] = installments;
    const [integration] = await rowsOf(app.core.store, tenantId, "payment_integrations");
    if (installment === undefined || integration === undefined) throw new Error("the book is empty");
    const link = mailedLinkRow(installment, integration.payment_integration_id);
    const sendAt = new Date(pages.clock.now().getTime() + 9 * 86_400_000).toISOString();
    await addRows(app.core.store, tenantId, {
      payment_links: [{ ...link, email_send_at: sendAt, email_next_attempt_at: sendAt }],
    });
    /** Another link of the same customer, whose mail is planned for the same time. */
    const beside = async () => {
      const other = await owing("50.00");
      const its = mailedLinkRow(other.installments[0] ?? installment, integration.payment_integration_id);
      await addRows(app.core.store, tenantId, {
        payment_links: [{ ...its, email_send_at: sendAt, email_next_attempt_at: sendAt }],
      });
      const { customer_id } = await pages.customer();
      await setRows(app.core.store, tenantId, "invoices", { customer_id });
    };
    return { ...pages, invoiceId, path: `/payment-links/${link.payment_link_id}`, sendAt, beside };
  }

  it("make a link for part of an installment, and each form once [pages.run.links]", async () => {
    const { signedIn, owing, audited } = await workspace();
    const { invoiceId } = await owing("100.00");
    const browser = await signedIn();
    const invoice = await browser.open(`/invoices/${invoiceId}`);
    expect(invoice.html).toContain(`href="/invoices/${invoiceId}/links"`);
    const form = await browser.open(`/invoices/${invoiceId}/links`);
    const amount =
      Object.keys(form.formWith("Make payment link").fields).find((name) => name.startsWith("amount-")) ?? "";
    for (const [typed, words] of [
      ["100.01", "More than is available, which is 100.00 USD."],
      ["0", "It must be more than zero."],
      ["1.001", "USD has 2 decimals: write an amount such as 1250.50."],
      ["1.000", "USD has 2 decimals: write an amount such as 1250.50."],
      ['"><b>', "Write an amount such as 1250.50."],
    ] as const) {
      const refused = await sendForm(browser, form, "Make payment link", [[amount, typed]]);
      expect([refused.status >= 400, refused.text], typed).toEqual([true, expect.stringContaining(words)]);
      expect(refused.formWith("Make payment link").fields[amount]).toBe(typed);
      expect(refused.html).not.toContain("<b>");
    }
    const made = await Promise.all(
      [1, 2, 3].map(() => sendForm(browser, form, "Make payment link", [[amount, "1 0.50"]])),
    );
    const [page] = made;
    expect(new Set(made.map(({ url }) => url.pathname)).size).toBe(1);
    expect(page?.heading).toContain("Payment link for 10.50 USD");
    expect(page?.text).toContain("Nothing is sent to the customer");
    expect(await audited("createPaymentLinks")).toEqual(["person: payment_link succeeded"]);
    expect(page?.text).toMatch(/History .* Create payment link /);
    const more = [amount, "90"] as const;
    const covered = await sendForm(browser, form, "Make payment link", [["once", "another"], more]);
    expect(covered.text).toContain("More than is available, which is 89.50 USD.");
    expect(covered.text).not.toContain("Live now");
    const other = await sendForm(browser, form, "Make payment link", [[amount, "7"]]);
    expect([other.status, other.text]).toEqual([
      409,
      expect.stringContaining("This form was sent before, with something else in it"),
    ]);
    const fresh = await sendForm(browser, other, "Make payment link", [[amount, ""]]);
    expect(fresh.heading).toContain("Payment link for 89.50 USD");
    expect((await browser.open("/invoices")).text).toContain("Open Active link");
    expect((await browser.open(`/invoices/${invoiceId}/links`)).text).toContain("No installment can get a link now");
    const withdrawal = await browser.open(`${fresh.url.pathname}/withdraw`);
    const withdrawn = await sendForm(browser, withdrawal, "Withdraw the link");
    expect(withdrawn.text).toContain("No mail went out with this link.");
  });

  it("ask for what their form showed where no amount is typed, although more is available by then [pages.run.links]", async () => {
    const { app, tenantId, signedIn, owing } = await workspace();
    const { invoiceId } = await owing("100.00");
    const browser = await signedIn();
    const all = await browser.open(`/invoices/${invoiceId}/links`);
    const amount = Object.keys(all.formWith("Make payment link").fields).find((name) => name.startsWith("amount-"));
    const part = await sendForm(browser, all, "Make payment link", [[amount ?? "", "60"]]);
    const form = await browser.open(`/invoices/${invoiceId}/links`);
    expect(form.text).toContain("40.00 USD without a link");
    const withdrawal = await browser.open(`${part.url.pathname}/withdraw`);
    await sendForm(browser, withdrawal, "Withdraw the link");
    const made = await sendForm(browser, form, "Make payment link");
    expect(made.heading).toContain("Payment link for 40.00 USD");
    const links = await rowsOf(app.core.store, tenantId, "payment_links");
    expect(links.map(({ amount_minor: minor }) => String(minor)).sort()).toEqual(["4000", "6000"]);
  });

  it("show the address to be selected, with a button for scripts [pages.run.copy]", async () => {
    const { signedIn, path, app } = await mailed();
    const page = await (await signedIn("member")).open(path);
    expect(page.html).toMatch(
      /<pre data-copy="the address of the pay page">https:\/\/pay\.example\.test\/[^<]+<\/pre>/,
    );
    const [, script = ""] = /<script src="([^"]+)" defer><\/script>/.exec(page.html) ?? [];
    expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none';.*;script-src 'self'/);
    expect((await fetch(`${app.origin}${script}`)).headers.get("content-type")).toContain("text/javascript");
  });

  it("withdraw a link after saying what happens to its checkout and its mail [pages.run.withdraw]", async () => {
    const { signedIn, path, audited } = await mailed();
    const browser = await signedIn();
    const ask = await browser.open(`${path}/withdraw`);
    expect(ask.text).toContain("A checkout that the customer has open ends.");
    expect(ask.text).toMatch(/Its mail to ap@globex\.example\.test, planned for .*, is not sent\./);
    const done = await sendForm(browser, ask, "Withdraw the link");
    expect(done.text).toContain("The payment link is withdrawn");
    expect(done.text).toContain("was cancelled.");
    await sendForm(browser, ask, "Withdraw the link");
    expect((await audited("deactivatePaymentLink")).at(0)).toBe("person: payment_link succeeded");
    expect((await browser.open(`${path}/withdraw`)).url.pathname).toBe(path);
  });

  it("move a mail to a time of the workspace's clocks, and cancel it [pages.run.mail]", async () => {
    const { signedIn, path, audited, clock } = await mailed();
    const browser = await signedIn();
    const page = await browser.open(path);
    const wrong = await sendForm(browser, page, "Reschedule the mail", [
      ["date", "2026-02-30"],
      ["time", "25:00"],
    ]);
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("Give a date, such as 2026-11-30.");
    expect(wrong.text).toContain("Give a time, such as 09:30.");
    expect(wrong.html).toContain('value="25:00"');
    const past = await sendForm(browser, page, "Reschedule the mail", [
      ["date", "2020-01-01"],
      ["time", "10:00"],
    ]);
    expect([past.status, past.text]).toEqual([
      400,
      expect.stringMatching(/It must be in the future: it is \d+ \w+ \d{4}, \d\d:\d\d now\./),
    ]);
    const day = new Date(clock.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    const never = await sendForm(browser, page, "Reschedule the mail", [
      ["date", "9999-12-31"],
      ["time", "10:15"],
    ]);
    expect(never.status).toBe(400);
    const moved = await sendForm(browser, page, "Reschedule the mail", [
      ["date", day],
      ["time", "10:15"],
    ]);
    expect(moved.text).toContain("The mail goes out at the new time.");
    expect(moved.html).toContain(`<time datetime="${day}T10:15:00.000Z">`);
    const stale = await sendForm(browser, page, "Reschedule the mail", [["time", "10:45"]]);
    expect(stale.status).toBe(409);
    expect(stale.text).toContain("Somebody rescheduled this mail meanwhile, to the time above.");
    expect(stale.html).toContain(`<time datetime="${day}T10:15:00.000Z">`);
    const again = await sendForm(browser, stale, "Reschedule the mail", [["date", day]]);
    expect(again.html).toContain(`<time datetime="${day}T10:45:00.000Z">`);
    const ask = await browser.open(`${path}/cancel-mail`);
    const cancelled = await sendForm(browser, ask, "Cancel the mail");
    expect(cancelled.text).toMatch(/cancelled\. The link can still be paid\..* was cancelled\. Hand the address on/s);
    const late = await sendForm(browser, page, "Reschedule the mail");
    expect([late.status, late.text]).toEqual([
      409,
      expect.stringContaining("The email of this payment link is cancelled"),
    ]);
    expect(await audited("reschedulePaymentLinkEmail")).toEqual(Array(2).fill("person: payment_link succeeded"));
    expect(await audited("cancelPaymentLinkEmail")).toEqual(["person: payment_link succeeded"]);
  });

  it("say which other links leave the mail where one is moved [pages.run.mail]", async () => {
    const { signedIn, path, app, tenantId, beside } = await mailed();
    const [shared, together] = [
      "in the same mail",
      "1 other link goes in the same mail: rescheduled, this one goes in a mail of its own.",
    ];
    expect((await (await signedIn()).open(path)).text).not.toContain(shared);
    await beside();
    expect((await (await signedIn()).open(path)).text).toContain(together);
    const member = await signedIn("member");
    expect((await member.open(path)).text).not.toContain(shared);
    expect((await member.open(`${path}/mail`)).text).toContain("reads now, without 1 other link in the same mail.");
    await setRows(app.core.store, tenantId, "link_emails", { status: "sent" });
    expect((await (await signedIn()).open(path)).text).not.toContain(shared);
  });

  it("say why a mail failed, and schedule it again at a button [completions.12.failed-mail]", async () => {
    const { signedIn, path, audited, app, tenantId } = await mailed();
    const failure = { failure: "rejected", server_codes: "550 5.1.1", server_words: "No <b>such</b> user" } as const;
    await setRows(app.core.store, tenantId, "link_emails", {
      ...failure,
      status: "failed",
      failed_at: "2026-03-02T11:11:00.000Z",
    });
    const browser = await signedIn();
    const member = await (await signedIn("member")).open(path);
    expect(member.text).toContain("The mail server says: “550 5.1.1 No <b>such</b> user”");
    expect(member.html).not.toContain("Send the mail again");
    for (const one of ["/payment-links", path])
      expect((await browser.open(one)).text, one).toContain("2 Mar 2026, 11:11");
    const again = await browser.open(path);
    expect(again.text).not.toContain("The billing email is still");
    await setRows(app.core.store, tenantId, "link_emails", { recipient: "ap@globex.example.test" });
    expect((await browser.open(path)).text).toContain(
      "The billing email is still ap@globex.example.test, where this mail failed.",
    );
    const done = await sendForm(browser, again, "Send the mail again");
    expect(done.text).toContain("The mail is scheduled again. ");
    expect(done.text).toMatch(/It goes to \S+ on /);
    expect(await audited("resendPaymentLinkEmail")).toEqual(["person: payment_link succeeded"]);
  });

  it("open a task, make its links there, all or none, and dismiss it [pages.run.tasks]", async () => {
    const { app, tenantId, signedIn, owing, audited } = await workspace();
    const { invoiceId, installments } = await owing("60.00", "40.00");
    const task = taskRow(tenantId, invoiceId);
    await addRows(app.core.store, tenantId, { tasks: task });
    const path = `/tasks/${task.task_id}`;
    const browser = await signedIn();
    const page = await browser.open(path);
    expect(page.text).toContain("Opened by the workflow Payment Arrangement");
    const [one, two] = installments.map(({ installment_id: id }) => id);
    const chosen = [
      ["installment", one ?? ""],
      ["installment", two ?? ""],
    ] as const;
    const refused = await sendForm(browser, page, "Make payment links", [...chosen, [`amount-${two}`, "41"]]);
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining("More than is available, which is 40.00 USD."),
    ]);
    expect(refused.html.match(/ checked/g)?.length).toBe(2);
    expect((await sendForm(browser, page, "Make payment links")).text).toContain("Choose at least one installment.");
    const made = await sendForm(browser, page, "Make payment links", chosen);
    expect(made.text).toContain("The payment links are made.");
    const [of] = await rowsOf(app.core.store, tenantId, "payment_links");
    const link = await browser.open(`/payment-links/${of?.payment_link_id}`);
    expect(link.text).toMatch(/History .* Create several payment links /);
    expect(made.text).toContain("Its links are made, so nothing more has to be done.");
    const ask = await browser.open(`${path}/dismiss`);
    expect(ask.text).toContain("The invoice returns to Auto Generate");
    expect((await sendForm(browser, ask, "Dismiss the task")).text).toContain("The task is dismissed.");
    expect(await audited("dismissTask")).toEqual(["person: task succeeded"]);
  });
});
