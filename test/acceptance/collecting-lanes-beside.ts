import { setCustomerEmail } from "../../src/core/customers/operations/set-customer-email.ts";
import { listErpStates } from "../../src/core/erp-connections/operator-connection.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { resendPaymentLinkEmail } from "../../src/core/payment-links/operations/emails.ts";
import { confirmRetirement } from "../../src/core/sync-runs/operations/confirm-retirement.ts";
import type { Random } from "../../src/simulators/fusion/random.ts";
import { type Act, oneOf, refusable } from "./collecting-lanes-act.ts";
import { rowsOf } from "./collecting-lanes-world.ts";

const ERP_WEATHER = [
  { mode: "drop", times: 3 },
  { mode: "sign-in", when: "after-effect", resource: "standardReceipts", method: "POST", times: 1 },
  { mode: "503", resource: "standardReceipts", times: 4 },
  { mode: "404", resource: "standardReceipts", method: "POST", times: 1 },
] as const;

const STRIPE_WEATHER = [
  { mode: "drop", times: 2 },
  { mode: "drop_after", times: 2 },
  { mode: "500_after", times: 1 },
  { mode: "500", path: "/v1/events", times: 1 },
] as const;

export const weather: Act = async ({ erp, stripe, weather }, draws) => {
  erp.control((draws.chance(50) ? oneOf(draws, ERP_WEATHER) : undefined) ?? { mode: "ok" });
  stripe.control((draws.chance(50) ? oneOf(draws, STRIPE_WEATHER) : undefined) ?? { mode: "ok" });
  weather.mail = draws.chance(80);
};

/** The service's user loses sight of every invoice, or has them all shown again. */
export const hide: Act = async ({ weather, bills, tellErp }, draws) => {
  weather.hidden = draws.chance(60);
  bills.forEach(tellErp);
};

export const confirmGone: Act = async ({ core, tenantId, connectionId: connection_id }) => {
  const [held] = (await operate(core, tenantId, listErpStates, {})).flatMap(({ held }) => held ?? []);
  if (held === undefined) return;
  await refusable(operate(core, tenantId, confirmRetirement, { connection_id, sync_run_id: held.sync_run_id }));
};

/** A customer's address, at first or later. */
const addressOf = (customer: number, draws: Random): string =>
  `${draws.chance(50) ? "ap" : "new"}@customer-${customer}.example`;

export const bounce: Act = async ({ weather }, draws) => {
  weather.gone = draws.chance(60) ? addressOf(draws.between(0, 2), draws) : null;
};

export const readdress: Act = async (world, draws) => {
  const invoice = oneOf(draws, (await rowsOf(world, world.tenantId)).invoices);
  const bill = world.bills.find(({ number }) => number === invoice?.invoice_number);
  if (bill === undefined || invoice?.customer_id == null) return;
  const readdressing = { customerId: invoice.customer_id, email: addressOf(bill.customer, draws) };
  await refusable(operate(world.core, world.tenantId, setCustomerEmail, readdressing));
};

export const mailAgain: Act = async (world, draws) => {
  const { links } = await rowsOf(world, world.tenantId);
  const link = oneOf(
    draws,
    links.filter(({ email_status: status }) => status === "failed"),
  );
  if (link === undefined) return;
  const again = { payment_link_id: link.payment_link_id };
  await refusable(operate(world.core, world.tenantId, resendPaymentLinkEmail, again));
};
