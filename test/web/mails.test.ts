import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import type { Role } from "../../src/core/gate/actor.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { getMailSettings } from "../../src/core/mail/operations/set-mail-settings.ts";
import { smtpMailer } from "../../src/gateways/mail/index.ts";
import { sendLinkEmails } from "../../src/jobs/send-mails.ts";
import { refusal, smtpServer } from "../gateways/mail/support.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { Browser } from "../support/browser.ts";
import { furnishCollecting } from "../support/furnish.ts";
import { rowsOf, setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const SVG = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;

describe.each(A_STORE)("the page of mails, $name", ({ open }) => {
  const site = useAuthApp(open);

  async function signedIn(role: Role = "admin", tenantId?: string) {
    const { browser, tenantId: id } = await site.app.newcomer(role, tenantId);
    return { workspace: { id }, browser, settings: () => operate(site.app.core, id, getMailSettings, {}) };
  }
  const png = (): Blob => new Blob([new Uint8Array(PNG.sync.write(new PNG({ width: 300, height: 90 })))]);
  /** Sends a logo as a browser does, with the token that `page` offers. */
  async function upload(
    browser: Browser,
    tenantId: string,
    file: Blob,
    token: string,
    headers: Record<string, string> = {},
    more = 0,
  ) {
    const form = new FormData();
    for (let field = 0; field < more; field += 1) form.set(`field ${field}`, "x");
    form.set("form_token", token);
    form.set("logo", file, "logo.png");
    return send(browser, tenantId, form, headers);
  }
  function send(browser: Browser, tenantId: string, body: FormData | Uint8Array<ArrayBuffer>, headers = {}) {
    const cookie = ["browser", "session"].map((name) => `${name}=${browser.cookie(name)}`).join("; ");
    return fetch(`${site.app.origin}/mails/${tenantId}/logo`, {
      method: "POST",
      body,
      headers: { cookie, origin: site.app.origin, "sec-fetch-site": "same-origin", ...headers },
      redirect: "manual",
    });
  }
  const tokenOf = async (browser: Browser): Promise<string> =>
    (await browser.open("/mails")).formWith("Set logo").fields.form_token ?? "";

  it("sets the letterhead, and says what is wrong with it [completions.7.mail-contact]", async () => {
    const { browser, settings } = await signedIn();
    const wrong = await browser.submit(await browser.open("/mails"), "Save letterhead", {
      locale: "de-CH",
      postal_address: "Seestrasse 1\n8001 Zürich",
      reply_to: "two@x.example, three@y.example",
      contact: "Ana <script>",
    });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("It must be only one email address")]);
    expect(wrong.html).toContain('value="Ana &lt;script&gt;"');
    for (const postal_address of ["1\n2\n3\n4\n5\n6\n7", "a".repeat(101)]) {
      const long = await browser.submit(wrong, "Save letterhead", { postal_address, reply_to: "" });
      expect([long.status, long.text]).toEqual([
        400,
        expect.stringContaining("at most 6 lines of 100 characters each"),
      ]);
    }
    const page = await browser.submit(wrong, "Save letterhead", {
      locale: "de-CH",
      postal_address: "Seestrasse 1\r\n\r\n8001 Zürich\u202e",
      reply_to: "ar@x.example",
      contact: "Ana",
    });
    expect(page.text).toContain("Saved.");
    expect(await settings()).toEqual({
      locale: "de-CH",
      postal_address: "Seestrasse 1\n8001 Zürich",
      reply_to: "ar@x.example",
      contact: "Ana",
      has_logo: false,
    });
  });

  it("takes a logo from its own form only, of an admin of the workspace [completions.7.logo] [pages.security.many-parts]", async () => {
    const [mine, other, member] = [await signedIn(), await signedIn(), await signedIn("member")];
    const token = await tokenOf(mine.browser);
    const send = upload.bind(null, mine.browser, mine.workspace.id);
    const answers = [
      await send(png(), "forged"),
      await send(png(), token, { origin: "https://evil.example" }),
      await send(new Blob([SVG]), token),
      await send(new Blob([new Uint8Array(3_000_000)]), token),
      await send(png(), token, {}, 16),
      await upload(mine.browser, other.workspace.id, png(), token),
      await upload(member.browser, member.workspace.id, png(), token),
      await upload(new Browser(site.app.origin), mine.workspace.id, png(), token),
    ];
    expect(answers.map((response) => response.status)).toEqual([403, 403, 400, 400, 400, 404, 404, 303]);
    expect((await mine.settings()).has_logo).toBe(false);
    expect((await send(png(), token, {}, 14)).headers.get("location")).toBe("/mails?done=logo");
    expect((await mine.settings()).has_logo).toBe(true);
    const logo = await mine.browser.open(`/logo.png?workspace=${mine.workspace.id}`);
    expect([logo.status, logo.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect((await other.browser.open(`/logo.png?workspace=${mine.workspace.id}`)).status).toBe(404);
    await mine.browser.submit(await mine.browser.open("/mails"), "Remove logo");
    expect((await mine.settings()).has_logo).toBe(false);
  });

  it("reads no form with a file whose parts say much of themselves [pages.security.many-parts]", async () => {
    const { browser, workspace } = await signedIn();
    const token = await tokenOf(browser);
    const file = Buffer.from(await png().arrayBuffer()).toString("latin1");
    const sent = async (more: string, before = "") => {
      const part = (name: string, value: string) =>
        `--of-parts\r\nContent-Disposition: form-data; ${name}\r\n\r\n${value}\r\n`;
      const logo = part(`name="logo"; filename="logo.png"\r\nContent-Type: image/png${more}`, file);
      const body = Buffer.from(`${before}${part('name="form_token"', token)}${logo}--of-parts--\r\n`, "latin1");
      return (await send(browser, workspace.id, body, { "content-type": "multipart/form-data; boundary=of-parts" }))
        .status;
    };
    const long = "\r\nContent-Type: a".repeat(100);
    expect([await sent(long), await sent(long, "x"), await sent("", "x"), await sent("")]).toEqual([
      400, 400, 303, 303,
    ]);
  });

  it("counts a form with a file that no page of ours sent, for it was read [pages.security.many-parts]", async () => {
    const { browser, workspace } = await signedIn();
    const answers: number[] = [];
    for (let sent = 0; sent <= 300; sent += 1)
      answers.push((await upload(browser, workspace.id, new Blob([]), "forged")).status);
    expect(answers).toEqual([...Array(300).fill(403), 429]);
  });

  it("reads no form of more fields than a form has [pages.security.many-parts]", async () => {
    const { browser } = await signedIn();
    const stranger = new Browser(site.app.origin);
    const sent = async (from: Browser, path: string, fields: number) =>
      (await from.post(path, new URLSearchParams(`${"a&".repeat(fields - 1)}a`))).status;
    // Nothing of theirs says that it is from our page, and none of it is a token request.
    expect([await sent(stranger, "/signin", 128), await sent(stranger, "/signin", 129)]).toEqual([403, 400]);
    expect([await sent(browser, "/mails-to-you", 512), await sent(browser, "/mails-to-you", 513)]).toEqual([403, 400]);
    expect([await sent(stranger, "/oauth/token", 64), await sent(stranger, "/oauth/token", 65)]).toEqual([400, 413]);
    expect((await stranger.post("/mails-to-you", new URLSearchParams("a&".repeat(5_000)))).text).toContain("Sign in");
  });

  it("shows each mail as it looks, in a frame that loads and runs nothing [completions.7.mail-looks]", async () => {
    const { browser, workspace } = await signedIn();
    const page = await browser.open(`/mails/${workspace.id}/preview?kind=overdue&locale=es-ES`);
    expect(page.text).toContain("Vencida desde el");
    expect(page.headers.get("content-security-policy")).toContain("frame-src 'self'");
    const mail = await browser.open(`/mails/${workspace.id}/preview/mail?kind=overdue&locale=es-ES`);
    expect(mail.html).toContain('<html lang="es-ES">');
    expect(mail.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox",
    );
  });

  it("sets a customer's language, and mails them nothing [completions.7.no-mail]", async () => {
    const book = await openBook(site.app.core.store);
    const { browser, workspace } = await signedIn("admin", book.tenantId);
    const { customer_id: id } = await book.customer({ name: "Globex <b>" });
    const path = `/mails/${workspace.id}/customers/${id}`;
    const page = await browser.open(path);
    expect(page.heading).toBe("Mails to Globex <b>");
    const saved = await browser.submit(page, "Save", { locale: "fr-CH", no_mail: "on" });
    expect(saved.text).toContain("Globex <b> French (Switzerland)");
    expect((await browser.open(path)).boxes).toEqual({ no_mail: true });
    // Opened before somebody had mails to them stopped.
    const later = await browser.submit(page, "Save", { locale: "de-CH" });
    expect(later.text).toContain("Globex <b> German (Switzerland)");
    expect((await browser.open(path)).boxes).toEqual({ no_mail: true });
  });

  it("shows on a customer's page what mail servers rejected, and leads there [completions.7.rejected]", async () => {
    const { core } = site.app;
    const book = await openBook(core.store);
    const customer = await book.customer({ name: "Globex" });
    const { installments } = await book.invoice({ customer }, [{ due_date: "2026-01-31" }]);
    const [installment] = installments;
    await furnishCollecting(core.store, installment);
    const { port } = await smtpServer({
      onRcptTo: (_address, _session, done) => done(refusal(550, "5.1.1 no such user")),
    });
    const office = {
      mailer: smtpMailer(`smtp://127.0.0.1:${port}`),
      fromAddress: "a@b.example",
      publicOrigin: "https://r.example",
    };
    site.clock.set("2027-01-01T09:00:00.000Z");
    await sendLinkEmails(core, office);
    const path = `/customers/${customer.customer_id}`;
    const { browser, workspace } = await signedIn("admin", book.tenantId);
    const page = await browser.open(path);
    expect(page.text).toContain("billing@globex.example.test: The mailbox does not exist. 550 5.1.1");
    expect(page.text).toContain("Billing email billing@globex.example.test Mails failed");
    expect(page.text).toContain("with which they go out again while Auto Generate is on, or sends each again");
    const still = "Mails that failed at that address are not sent there again by themselves.";
    const again = await browser.submit(page, "Save billing email", { email: "billing@globex.example.test" });
    expect(again.text).toContain(`The billing email set here is in use: 0 mails are planned. ${still}`);
    await setRows(core.store, book.tenantId, "workflows", { enabled: true });
    const [workflow] = await rowsOf(core.store, book.tenantId, "workflows");
    await setRows(core.store, book.tenantId, "payment_links", { created_by_id: workflow?.workflow_id });
    const other = await browser.submit(again, "Save billing email", { email: "ap@globex.example.test" });
    expect(other.text).toContain("The billing email set here is in use: 1 mail is planned. ");
    expect(other.text).not.toContain(still);
    const linked = /href="(\/mails\/[^"]+)"/.exec(page.html)?.[1] ?? "";
    expect((await browser.open(linked)).heading).toBe("Mails to Globex");
    await browser.submit(await browser.open(linked), "Save", { no_mail: "on" });
    const member = await signedIn("member", workspace.id);
    const seen = await member.browser.open(path);
    expect(seen.text).toContain("This customer is not mailed");
    expect(seen.html).not.toContain("/mails/");
  });
});
