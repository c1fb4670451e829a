import { setCustomerEmail } from "../core/customers/operations/set-customer-email.ts";
import { connectErp } from "../core/erp-connections/operations/connect-erp.ts";
import { disconnectErp } from "../core/erp-connections/operations/disconnect-erp.ts";
import { setErp } from "../core/erp-connections/operations/set-erp.ts";
import { listErp } from "../core/erp-connections/operator-connection.ts";
import { operate } from "../core/gate/operator.ts";
import { createLocalInvoice } from "../core/invoices/operations/create-local-invoice.ts";
import { addDays, businessDate } from "../core/kernel/calendar.ts";
import { endAssistant } from "./actors.ts";
import { aftermath } from "./aftermath.ts";
import type { WorkspaceKey } from "./cast.ts";
import { connectSandbox, tryStripe } from "./integrations.ts";
import { mailOut } from "./mail.ts";
import { everyPayment, payLocalBill, paymentsOnHold, usualPayments } from "./payments.ts";
import { hasInvoiceNumber, selectCustomerByNumber } from "./queries.ts";
import { pull, type Tell } from "./scene.ts";
import {
  arrange,
  chooseUsualWindow,
  generate,
  keepUp,
  rethinkEmails,
  switchOffWorkflow,
  withdrawLatestLink,
} from "./workflows.ts";

/** A step of the story. Idempotent, so that an interrupted start can repeat it. */
export interface StoryStep {
  /** By which the demo remembers that it was told: unique, and never given to another scene. */
  readonly name: string;
  readonly workspace: WorkspaceKey;
  readonly daysAgo: number;
  readonly tell: Tell;
}

/** The past weeks of all workspaces, in order. */
export const STORY: readonly StoryStep[] = [...northwind(), ...alpenglow(), ...odd()];

/** A wholesaler whose second ERP needs its new password. */
function northwind(): StoryStep[] {
  const [us, canada] = ["northwind-us", "northwind-canada"];
  const at = chapter("northwind");
  return [
    at(30, "connect the sandbox", connectSandbox),
    at(24, "connect us", connect(us)),
    at(24, "pull us", (scene) => pull(scene, us, { trigger: "manual" })),
    at(20, "connect canada", connect(canada)),
    at(20, "pull canada", (scene) => pull(scene, canada, { trigger: "manual" })),
    at(18, "arrange payments of us", arrange(us)),
    at(16, "make links of us", generate(us)),
    at(14, "mail links of us", mailOut(us)),
    at(12, "pull us", (scene) => pull(scene, us, { trigger: "scheduled" })),
    ...scenes(9, at, usualPayments(us)),
    at(6, "pull canada with 401", (scene) => pull(scene, canada, { trigger: "scheduled", fault: "401" })),
    at(1, "pull us", (scene) => pull(scene, us, { trigger: "scheduled" })),
    at(0, "pull us", (scene) => pull(scene, us, { trigger: "manual" })),
    at(0, "choose the usual window", chooseUsualWindow),
    at(0, "keep up", keepUp),
    at(0, "end the assistant", endAssistant),
  ];
}

/** A food producer whose accountants look at each receipt before it is written. */
function alpenglow(): StoryStep[] {
  const [food, trade] = ["alpenglow-food", "alpenglow-trade"];
  const at = chapter("alpenglow");
  return [
    at(30, "connect the sandbox", connectSandbox),
    at(24, "connect food", connect(food)),
    at(24, "pull food", (scene) => pull(scene, food, { trigger: "manual" })),
    at(22, "hold receipts of food", holdReceipts(food)),
    at(21, "connect trade", connect(trade)),
    at(21, "pull trade", (scene) => pull(scene, trade, { trigger: "manual" })),
    at(18, "arrange payments of food", arrange(food)),
    at(16, "make links of food", generate(food)),
    at(14, "mail links of food", mailOut(food)),
    at(11, "pull food", (scene) => pull(scene, food, { trigger: "scheduled" })),
    ...scenes(9, at, usualPayments(food)),
    at(3, "payments of food, on hold", paymentsOnHold(food)),
    at(1, "pull trade", (scene) => pull(scene, trade, { trigger: "scheduled" })),
    at(0, "pull trade", (scene) => pull(scene, trade, { trigger: "manual" })),
    at(0, "pull food", (scene) => pull(scene, food, { trigger: "manual" })),
    at(0, "choose the usual window", chooseUsualWindow),
    at(0, "keep up", keepUp),
    at(0, "end the assistant", endAssistant),
  ];
}

/** Everything that can happen does. */
function odd(): StoryStep[] {
  const [main, branch, legacy] = ["odd-main", "odd-branch", "odd-legacy"];
  const at = chapter("odd");
  return [
    at(30, "connect the sandbox", connectSandbox),
    at(29, "try Stripe", tryStripe),
    at(27, "connect legacy", connect(legacy)),
    at(27, "pull legacy", (scene) => pull(scene, legacy, { trigger: "manual" })),
    at(24, "connect main", connect(main)),
    at(24, "pull main", (scene) => pull(scene, main, { trigger: "manual" })),
    at(23, "limit the history of main", limitHistory(main)),
    at(20, "connect branch", connect(branch)),
    at(20, "pull branch", (scene) => pull(scene, branch, { trigger: "manual" })),
    at(18, "arrange payments of main", arrange(main)),
    at(17, "override an email of main", overrideEmail(main)),
    at(16, "make links of main", generate(main)),
    at(16, "rethink emails of main", rethinkEmails(main)),
    at(15, "disconnect legacy", switchOff(legacy)),
    at(14, "pull main", (scene) => pull(scene, main, { trigger: "scheduled" })),
    at(14, "mail links of main", mailOut(main)),
    at(13, "withdraw the latest link of main", withdrawLatestLink(main)),
    at(13, "pull main with 404", (scene) => pull(scene, main, { trigger: "scheduled", fault: "404" })),
    at(12, "pull main with 500", (scene) => pull(scene, main, { trigger: "scheduled", fault: "500" })),
    ...scenes(9, at, everyPayment(main)),
    at(8, "switch Auto Generate off", switchOffWorkflow("auto_generate")),
    at(7, "pull main", (scene) => pull(scene, main, { trigger: "scheduled" })),
    at(5, "pull main, cut off", (scene) => pull(scene, main, { trigger: "manual", cutOff: true })),
    at(4, "make local invoices", billLocally("OC-L")),
    at(3, "pay a local invoice", payLocalBill("OC-L004")),
    at(2, "switch Payment Arrangement off", switchOffWorkflow("payment_arrangement")),
    at(2, "end the assistant", endAssistant),
    at(1, "pull branch with 500", (scene) => pull(scene, branch, { trigger: "scheduled", fault: "500" })),
    at(1, "pull main", (scene) => pull(scene, main, { trigger: "scheduled" })),
    at(0, "pull main", (scene) => pull(scene, main, { trigger: "manual" })),
    at(0, "refund and dispute payments of main", aftermath(main)),
  ];
}

/** Makes the steps of a workspace. */
function chapter(workspace: WorkspaceKey): (daysAgo: number, what: string, tell: Tell) => StoryStep {
  return (daysAgo, what, tell) => ({ name: `${workspace}, ${daysAgo} days ago: ${what}`, workspace, daysAgo, tell });
}

/** The steps of one day, by what they are about. */
function scenes(daysAgo: number, at: ReturnType<typeof chapter>, tells: Readonly<Record<string, Tell>>): StoryStep[] {
  return Object.entries(tells).map(([what, tell]) => at(daysAgo, what, tell));
}

function connect(siteKey: string): Tell {
  return async (scene) => {
    const { core, tenantId } = scene;
    const { site, simulator, password } = scene.site(siteKey);
    const made = (await operate(core, tenantId, listErp, {})).find(({ username }) => username === site.username);
    if (made !== undefined) return scene.remember(siteKey, made.id);
    const { id } = await operate(core, tenantId, connectErp, {
      provider: "oracle_fusion",
      url: simulator.url,
      username: site.username,
      password,
      autoSync: site.fate === "works",
      intervalMinutes: site.fate === "works" ? 60 : 1440,
    });
    scene.remember(siteKey, id);
  };
}

/** The first pull brought everything; later ones read two years back, and what is older stays as it was. */
function limitHistory(siteKey: string): Tell {
  return async (scene) => {
    const { core, tenantId, workspace } = scene;
    const pullFrom = addDays(businessDate(core.clock.now(), workspace.timezone), -730);
    await operate(core, tenantId, setErp, { connectionId: scene.connectionId(siteKey), pullFrom });
  };
}

function holdReceipts(siteKey: string): Tell {
  return async (scene) => {
    await operate(scene.core, scene.tenantId, setErp, {
      connectionId: scene.connectionId(siteKey),
      paymentPushMode: "held",
      applyMode: "automatch",
    });
  };
}

function switchOff(siteKey: string): Tell {
  return async (scene) => {
    await operate(scene.core, scene.tenantId, disconnectErp, { connectionId: scene.connectionId(siteKey) });
  };
}

/** The workspace knows better than the ERP where one customer's bills go. */
function overrideEmail(siteKey: string): Tell {
  return async (scene) => {
    const { core, tenantId } = scene;
    const connectionId = scene.connectionId(siteKey);
    const customerId = await core.store.read(tenantId, (tx) =>
      selectCustomerByNumber(tx, tenantId, connectionId, "1003"),
    );
    if (customerId === undefined) return;
    await operate(core, tenantId, setCustomerEmail, { customerId, email: "payables@billing-partner.example" });
  };
}

/** Invoices of the service's own: with and without a billing email and a due date, in one installment and in several. */
function billLocally(prefix: string): Tell {
  return async ({ core, tenantId, workspace }) => {
    const today = businessDate(core.clock.now(), workspace.timezone);
    const [currency = "USD"] = workspace.currencies;
    const due = (days: number): string => addDays(today, days);
    const invoices = [
      {
        amount: "1840.00",
        dueDate: due(-12),
        customerName: "Pop-up market stall",
        customerEmail: "stall@market.example",
      },
      { amount: "260.40", dueDate: due(9), customerName: "Walk-in customers" },
      { amount: "512.75", customerName: "Staff canteen" },
      {
        amount: "3000.00",
        customerName: "Riverside Festival",
        customerEmail: "office@riverside.example",
        installments: [
          { dueDate: due(-40), amount: "1000.00" },
          { dueDate: due(-9), amount: "1000.00" },
          { dueDate: due(21), amount: "1000.00" },
        ],
      },
      { amount: "75.00", customerName: "Weekend workshop", installments: [{ dueDate: due(-70), amount: "75.00" }] },
    ];
    for (const [index, invoice] of invoices.entries()) {
      const number = `${prefix}${String(index + 1).padStart(3, "0")}`;
      if (await core.store.read(tenantId, (tx) => hasInvoiceNumber(tx, tenantId, number))) continue;
      await operate(core, tenantId, createLocalInvoice, { number, currency, invoiceDate: due(-75), ...invoice });
    }
  };
}
