import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addMember } from "../../auth/members/add-member.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { createFusionSimulator } from "../../src/simulators/fusion/index.ts";
import { HAS_CHROMIUM, launchChromium } from "../support/chromium.ts";
import { readListFile } from "../support/csv.ts";
import { picture } from "../support/looks.ts";
import { peopleOf } from "../support/people.ts";
import { hasProgram } from "../support/programs.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";
import { ERP, owed, TODAY } from "./day-book.ts";
import { ADA, addUp, follow, GRACE, mailsTo, main, openInMail, press, reads, signIn } from "./day-people.ts";

/** What the trail has of the day's people, in order. */
const ACTS = [
  [ADA, "Sign in"],
  [ADA, "Invite member"],
  [GRACE, "Accept invitation"],
  [GRACE, "Sign in"],
  [ADA, "Connect ERP"],
  [ADA, "Start ERP sync"],
  [ADA, "Connect integration"],
  [ADA, "Set customer email"],
  [ADA, "Enable workflow"],
  [ADA, "Enable workflow"],
  [ADA, "Push payment"],
  [GRACE, "Create payment link"],
  [GRACE, "Withdraw payment link"],
] as const;

/** From an empty workspace to an audit trail that tells of everything, by clicks and typing; nobody needs a terminal. */
describe.skipIf(!HAS_CHROMIUM)("a day in the life of a workspace", () => {
  let service: RunningService;
  let browser: Browser;
  let ada: Page;
  let grace: Page;
  let customer: Page;
  const started = Date.now();
  /** 08:00 in Berlin. */
  let morning = Date.parse(`${TODAY}T07:00:00Z`);
  const clock = { now: () => new Date(morning + Date.now() - started) };
  const erp = createFusionSimulator({ ...ERP, now: clock.now });

  beforeAll(async () => {
    [service, browser] = await Promise.all([
      startService(A_KIND, { clock, localErps: true }),
      launchChromium(),
      erp.listen(),
    ]);
    const { core } = service;
    const { id } = await peopleOf(core).addWorkspace({ name: "Contoso" });
    await operate(core, id, addMember, { ...ADA, role: "admin" });
    const person = async (javaScriptEnabled: boolean) =>
      (await browser.newContext({ javaScriptEnabled, viewport: { width: 1280, height: 900 } })).newPage();
    // Most of the day goes on without JavaScript.
    [ada, grace, customer] = [await person(false), await person(true), await person(false)];
    for (const page of [ada, grace, customer]) page.setDefaultTimeout(8_000);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await erp.close();
  });

  it("begins with a checklist, and a colleague joins by a mail [pages.run.day]", async () => {
    await ada.goto(service.url);
    await picture(ada, "day-00-welcome");
    await follow(ada, "Sign in");
    await signIn(ada, ADA);
    expect(await main(ada)).toContain("Set up Contoso 0 of 5 done");
    await picture(ada, "day-01-checklist");
    await follow(ada, "Invite people");
    await ada.getByLabel("Email").fill(GRACE.email);
    await ada.getByLabel("Role").selectOption({ label: "Admin" });
    await press(ada, "Invite");
    await picture(ada, "day-02-invited");

    const [invitation] = await mailsTo(service.dataDir, GRACE.email);
    await openInMail(grace, invitation, /./);
    await picture(grace, "day-03-invitation");
    await grace.getByLabel("Your name").fill(GRACE.name);
    await grace.getByLabel("Choose a password").fill(GRACE.password);
    await press(grace, "Join");
    expect(await main(grace)).toContain("You have joined the workspace.");
  });

  it("connects the ERP and a payment provider, and pulls the book [pages.run.day]", async () => {
    await follow(ada, "Receivables");
    await follow(ada, "Connect the ERP");
    await picture(ada, "day-05-erp-form");
    await ada.getByLabel("Address").fill(erp.url);
    await ada.getByLabel("User").fill(ERP.credentials.username);
    await ada.getByLabel("Password").fill(ERP.credentials.password);
    await ada.getByLabel("Sync automatically").uncheck();
    await press(ada, "Connect ERP");
    expect(await main(ada)).toContain("Connected: the ERP accepted the user name and password.");
    await picture(ada, "day-06-erp-connected");
    await press(ada, "Sync now");
    expect(await reads(ada, "Succeeded")).toContain("5 invoices read");
    await picture(ada, "day-07-synced");
    await follow(ada, "Integrations");
    const sandbox = ada.getByRole("form", { name: "Connect Sandbox to Contoso" });
    await sandbox.getByLabel("Currencies").fill("usd, eur");
    await sandbox.getByRole("button").click();
    expect(await main(ada)).toContain("The provider was connected.");
    await picture(ada, "day-08-provider");
  });

  it("sees the overview, and sets the email that a customer lacks [pages.run.day]", async () => {
    await follow(ada, "Overview");
    const overview = await main(ada);
    await picture(ada, "day-09-overview");
    const overdue = ({ due }: { due: string }) => due < TODAY;
    const bucket = (from: string, to: string) => owed("USD", ({ due }) => from <= due && due <= to);
    for (const words of [
      `Outstanding ${owed("USD")} Overdue ${owed("USD", overdue)}`,
      `EUR ${owed("EUR")} ${owed("EUR", overdue)}`,
      `Due in 7 days ${bucket(TODAY, "2026-03-17")} Due in 30 days ${bucket(TODAY, "2026-04-09")}`,
      `1–30 days 13% ${bucket("2026-02-08", "2026-03-09")} 31–60 days 80% ${bucket("2026-01-09", "2026-02-07")}`,
    ])
      expect(overview).toContain(words);
    await follow(ada, "See installments");
    await follow(ada, "Alder Logistics");
    await picture(ada, "day-11-customer");
    await ada.getByLabel("Set a billing email here").fill("ap@alder.example");
    await press(ada, "Save billing email");
    await picture(ada, "day-12-email-set");
    expect(await main(ada)).toContain("The billing email set here is in use");
    expect(await main(ada)).toContain("ap@alder.example");
  });

  it("previews both workflows with their mails, and turns them on [pages.run.day]", async () => {
    await follow(ada, "Settings");
    await follow(ada, "Workflows");
    await follow(ada, /^Preview and turn on.*Payment Arrangement/);
    await ada.getByLabel("Assignee").selectOption({ label: `${GRACE.name}, ${GRACE.email}` });
    await ada.getByLabel("Minimum amount").fill("10000");
    await press(ada, "Show what would happen");
    await picture(ada, "day-15-arrangement-preview");
    expect(await main(ada)).toContain("New tasks 1 Auto Generate is off");
    await press(ada, "Turn Payment Arrangement on");
    await follow(ada, /^Preview and turn on.*Auto Generate/);
    await picture(ada, "day-17-generate-preview");
    const asked = ({ due, invoice }: { due: string; invoice: string }) => due <= "2026-03-17" && invoice !== "HF-301";
    const plan = await main(ada);
    expect(plan).toContain(
      `New payment links 4 Asked for in EUR ${owed("EUR")} Asked for in USD ${owed("USD", asked)}`,
    );
    expect(plan).toContain("Mails to customers 3 The first goes out 10 Mar 2026, 09:00");
    expect(plan).toContain("1 invoice: a task waits for a person.");
    await follow(ada, /^Show.*Meridian Supplies/);
    await picture(ada, "day-18-generate-mail");
    const shown = await ada.frameLocator("iframe").locator("body").innerText();
    expect(shown).toMatch(/MS-101[\s\S]*US\$1,250\.50[\s\S]*MS-102[\s\S]*US\$300\.00[\s\S]*Total\s+US\$1,550\.50/);
    await press(ada, "Turn Auto Generate on");
    await picture(ada, "day-19-generate-on");
    await follow(ada, /^History.*Auto Generate/);
    expect((await reads(ada, "5 of 5 entries")).match(/Payment link made/g)).toHaveLength(4);
    await picture(ada, "day-20-history");
  });

  it("customers pay from their mails; a receipt is applied, and one that failed is retried [pages.run.day]", async () => {
    expect(await mailsTo(service.dataDir, "ap@meridian.example", 0)).toEqual([]);
    morning += 3_600_000;
    const [mail] = await mailsTo(service.dataDir, "ap@meridian.example");
    await openInMail(customer, mail, /1,250\.50|MS-101|Pay/);
    await picture(customer, "day-21-pay");
    expect(await main(customer)).toContain(
      `${owed("USD", ({ invoice }) => invoice === "MS-101")} To Contoso Invoice MS-101 `,
    );
    await press(customer, "Pay");
    await picture(customer, "day-22-paid");
    expect(await main(customer)).toContain("Paid. Thank you.");
    await follow(ada, "Payments");
    await reads(ada, /MS-101 Meridian Supplies 10 Mar 2026, 09:0\d Applied PAY-\w+ 1,250\.50 USD/);
    await picture(ada, "day-23-applied");

    erp.closePeriods(TODAY);
    const [late] = await mailsTo(service.dataDir, "ap@alder.example");
    await openInMail(customer, late, /Pay/);
    await press(customer, "Pay");
    await follow(ada, "Overview");
    await reads(ada, /Receipt failed since .* Invoice AL-201/);
    await picture(ada, "day-24-failed");
    await follow(ada, "Open the payment");
    await picture(ada, "day-25-failed-payment");
    expect(await main(ada)).toContain("The ERP says The accounting date isn't in an open or future enterable period.");
    erp.closePeriods(null);
    await press(ada, "Push it again");
    await picture(ada, "day-27-pushed");
    await reads(ada, "The ERP has the receipt, applied to its invoice.");
    expect(erp.receipts).toHaveLength(2);
    await picture(ada, "day-28-applied");
  });

  it("a colleague answers the task of a mail, and withdraws a link [pages.run.day]", async () => {
    const mails = await mailsTo(service.dataDir, GRACE.email, 3);
    const task = mails.find(({ subject }) => subject?.includes("HF-301"));
    await openInMail(grace, task, /./);
    await picture(grace, "day-29-task");
    await press(grace, "Make payment link");
    await picture(grace, "day-30-task-done");
    expect(await main(grace)).toContain("Links made");
    expect(await main(grace)).toContain(
      `Grace Hopper Active Pay page – None ${owed("USD", ({ invoice }) => invoice === "HF-301")}`,
    );
    await follow(grace, "Invoices");
    await follow(grace, "Payment links");
    await grace
      .getByRole("row", { name: /NO-401/ })
      .getByRole("link", { name: /Mar/ })
      .click();
    await picture(grace, "day-32-link");
    await follow(grace, "Withdraw");
    await press(grace, /Withdraw/);
    await picture(grace, "day-34-withdrawn");
    expect(await main(grace)).toContain("it cannot be paid any more.");
  });

  it("reads it all in the audit trail, and exports it [pages.run.day]", async () => {
    await follow(ada, "Settings");
    await follow(ada, "Audit trail");
    await ada.getByLabel("Through").selectOption({ label: "These pages" });
    await press(ada, "Apply");
    await picture(ada, "day-22-audit");
    const seen: string[][] = [];
    for (const row of await ada.locator("table.trail tbody tr").all()) {
      const [who, act] = [row.locator("[data-label=Who]"), row.locator("[data-label=Operation] data")];
      seen.push([(await who.innerText()).trim(), (await act.innerText()).trim()]);
    }
    expect(seen.toReversed()).toEqual(ACTS.map(([who, act]) => [who.email, act]));

    const waiting = ada.waitForEvent("download");
    await follow(ada, "Download CSV");
    const { rows } = readListFile(readFileSync(await (await waiting).path(), "utf8"));
    expect(rows.map(({ who, operation }) => [who, operation])).toEqual(seen);
    expect(rows[0]).toMatchObject({ invoice_number: "NO-401", amount: "500.00", currency: "EUR" });
  });

  it.skipIf(!hasProgram("ssconvert"))("closes the month with a workbook [pages.run.day]", async () => {
    await follow(ada, "Customers");
    const { shown, added } = await addUp(ada);
    expect(shown.length).toBeGreaterThan(0);
    expect(added).toEqual(shown);
  });
});
