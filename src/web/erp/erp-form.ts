import { connectErp } from "../../core/erp-connections/operations/connect-erp.ts";
import { reconnectErp } from "../../core/erp-connections/operations/reconnect-erp.ts";
import { setErp } from "../../core/erp-connections/operations/set-erp.ts";
import { html } from "../kit/markup.ts";
import { type FieldWords, Form } from "../kit/page.ts";

const UNFILLED = html`autocomplete="off" spellcheck="false"`;
/** A password is meant for the address and the user that are shown. */
const FOR_PASSWORD = { attributes: UNFILLED, isAlways: true } as const;

/** Address, user and password, and whether the ERP is asked about them. */
const ACCESS: Record<string, FieldWords> = {
  url: { label: "Address", hint: "Such as https://pod.fa.example.com", type: "url", ...FOR_PASSWORD },
  username: { name: "user", label: "User", hint: "One in the ERP for this service.", ...FOR_PASSWORD },
  password: {
    label: "Password",
    hint: "It is kept encrypted and never shown again.",
    type: "secret",
    attributes: html`autocomplete="new-password"`,
  },
  check: {
    name: "unchecked",
    label: "Save without a test, while the ERP cannot be reached",
    box: ["no", "refuse"],
  },
  sameErp: { label: "Connect it again: this user sees other invoices", type: "asked" },
};

/** What is pulled and when, and how receipts are written. */
const PULLED: Record<string, FieldWords> = {
  name: { label: "Name", hint: "What pages and assistants call it. Left empty, it is called by its kind and address." },
  pullFrom: {
    label: "Invoices dated from",
    hint: "Empty for all of them. A later date removes nothing that was imported.",
  },
  contactName: { label: "Import the names of contacts" },
  autoSync: { label: "Sync automatically" },
  intervalMinutes: { name: "interval", label: "Minutes between two automatic syncs", hint: "10 to 1440." },
  applyMode: {
    label: "Receipts are applied",
    choices: {
      rest_action: "By REST (26C and newer)",
      automatch: "By AutoMatch (older)",
    },
  },
  receiptMethod: { label: "Receipt method", hint: "Its name in the ERP." },
};

export const CONNECT_ERP = new Form(connectErp, {
  provider: { label: "ERP", choices: { oracle_fusion: "Oracle Fusion Receivables" } },
  ...ACCESS,
  ...PULLED,
});

export const RECONNECT_ERP = new Form(reconnectErp, {
  ...ACCESS,
  sameInvoices: { label: "Move it: the same invoices are at the new address", type: "asked" },
});

export const ERP_SETTINGS = new Form(setErp, {
  ...PULLED,
  paymentPushMode: {
    name: "push_mode",
    label: "Receipts of payments are written back",
    choices: { automatic: "At once", held: "When somebody pushes them" },
  },
});
