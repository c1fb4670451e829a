import { addMember } from "../../auth/members/add-member.ts";
import { setCustomerEmail } from "../core/customers/operations/set-customer-email.ts";
import { connectErp } from "../core/erp-connections/operations/connect-erp.ts";
import { disconnectErp } from "../core/erp-connections/operations/disconnect-erp.ts";
import { setErp } from "../core/erp-connections/operations/set-erp.ts";
import { listErp } from "../core/erp-connections/operator-connection.ts";
import { operate } from "../core/gate/operator.ts";
import { createLocalInvoice } from "../core/invoices/operations/create-local-invoice.ts";
import { addDays, businessDate } from "../core/shared/calendar.ts";
import { endAssistant } from "./actors.ts";
import { aftermath } from "./aftermath.ts";
import { PEOPLE, type WorkspaceKey } from "./cast.ts";
import { connectSandbox, tryStripe } from "./integrations.ts";
import { mailOut } from "./mail.ts";
import { everyPayment, payLocalBill, paymentsOnHold, usualPayments } from "./payments.ts";
import { hasInvoiceNumber, selectCustomerByNumber } from "./queries.ts";
import { pull, type Scene, type Tell } from "./scene.ts";
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
    at(30, settleIn),
    at(24, connect(us)),
    at(24, (scene) => pull(scene, us, { trigger: "manual" })),
    at(20, connect(canada)),
    at(20, (scene) => pull(scene, canada, { trigger: "manual" })),
    at(18, arrange(us)),
    at(16, generate(us)),
    at(14, mailOut(us)),
    at(13, chooseUsualWindow),
    at(12, (scene) => pull(scene, us, { trigger: "scheduled" })),
    ...usualPayments(us).map((tell) => at(9, tell)),
    at(6, (scene) => pull(scene, canada, { trigger: "scheduled", fault: "401" })),
    at(1, (scene) => pull(scene, us, { trigger: "scheduled" })),
    at(0, (scene) => pull(scene, us, { trigger: "manual" })),
    at(0, keepUp),
    at(0, endAssistant),
  ];
}

/** A food producer whose accountants look at each receipt before it is written. */
function alpenglow(): StoryStep[] {
  const [food, trade] = ["alpenglow-food", "alpenglow-trade"];
  const at = chapter("alpenglow");
  return [
    at(30, settleIn),
    at(24, connect(food)),
    at(24, (scene) => pull(scene, food, { trigger: "manual" })),
    at(22, holdReceipts(food)),
    at(21, connect(trade)),
    at(21, (scene) => pull(scene, trade, { trigger: "manual" })),
    at(18, arrange(food)),
    at(16, generate(food)),
    at(14, mailOut(food)),
    at(13, chooseUsualWindow),
    at(11, (scene) => pull(scene, food, { trigger: "scheduled" })),
    ...usualPayments(food).map((tell) => at(9, tell)),
    at(3, paymentsOnHold(food)),
    at(1, (scene) => pull(scene, trade, { trigger: "scheduled" })),
    at(0, (scene) => pull(scene, trade, { trigger: "manual" })),
    at(0, (scene) => pull(scene, food, { trigger: "manual" })),
    at(0, keepUp),
    at(0, endAssistant),
  ];
}

/** Everything that can happen does. */
function odd(): StoryStep[] {
  const [main, branch, legacy] = ["odd-main", "odd-branch", "odd-legacy"];
  const at = chapter("odd");
  return [
    at(30, settleIn),
    at(29, tryStripe),
    at(27, connect(legacy)),
    at(27, (scene) => pull(scene, legacy, { trigger: "manual" })),
    at(24, connect(main)),
    at(24, (scene) => pull(scene, main, { trigger: "manual" })),
    at(23, limitHistory(main)),
    at(20, connect(branch)),
    at(20, (scene) => pull(scene, branch, { trigger: "manual" })),
    at(18, arrange(main)),
    at(17, overrideEmail(main)),
    at(16, generate(main)),
    at(16, rethinkEmails(main)),
    at(15, switchOff(legacy)),
    at(14, (scene) => pull(scene, main, { trigger: "scheduled" })),
    at(14, mailOut(main)),
    at(13, withdrawLatestLink(main)),
    at(13, (scene) => pull(scene, main, { trigger: "scheduled", fault: "404" })),
    at(12, (scene) => pull(scene, main, { trigger: "scheduled", fault: "500" })),
    ...everyPayment(main).map((tell) => at(9, tell)),
    at(8, switchOffWorkflow("auto_generate")),
    at(7, (scene) => pull(scene, main, { trigger: "scheduled" })),
    at(5, (scene) => pull(scene, main, { trigger: "manual", cutOff: true })),
    at(4, billLocally("OC-L")),
    at(3, payLocalBill("OC-L004")),
    at(2, switchOffWorkflow("payment_arrangement")),
    at(2, endAssistant),
    at(1, (scene) => pull(scene, branch, { trigger: "scheduled", fault: "500" })),
    at(1, (scene) => pull(scene, main, { trigger: "scheduled" })),
    at(0, (scene) => pull(scene, main, { trigger: "manual" })),
    at(0, aftermath(main)),
  ];
}

function chapter(workspace: WorkspaceKey): (daysAgo: number, tell: Tell) => StoryStep {
  return (daysAgo, tell) => ({ workspace, daysAgo, tell });
}

/** Adds people, without passwords yet, and the sandbox integration. */
async function settleIn(scene: Scene): Promise<void> {
  const { core, workspace, tenantId } = scene;
  for (const { email, name, roles } of PEOPLE) {
    const role = roles[workspace.key];
    if (role !== undefined) await operate(core, tenantId, addMember, { email, name, role });
  }
  await connectSandbox(scene);
}

function connect(siteKey: string): Tell {
  return async (scene) => {
    const { core, tenantId } = scene;
    const { site, simulator, password } = scene.site(siteKey);
    const made = (await listErp(core, tenantId)).find(({ username }) => username === site.username);
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

/** Invoices of the service's own: with and without customer, installments and due date. */
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
