import type { Door } from "./doors.ts";

const SEEN: Door = ["signin", "200", "200", "200"];
const SEEN_HERE: Door = ["signin", "200", "200", "404"];
/** What an admin is asked before an act. */
const ASKED_HERE: Door = ["signin", "403", "200", "404"];
/** A form whose address has to name its workspace, which is not named here: doors.test.ts names it. */
const NOWHERE: Door = ["signin", "403", "404", "404"];

/** The pages and forms at which people collect. */
export const COLLECTING_DOORS: Readonly<Record<string, Door>> = {
  "GET /attention": SEEN,
  "GET /payments/held": SEEN,
  "GET /payments/:paymentId": SEEN_HERE,
  "GET /payment-links/:linkId": SEEN_HERE,
  "GET /payment-links/:linkId/mail": SEEN_HERE,
  "GET /payment-links/:linkId/withdraw": ASKED_HERE,
  "GET /payment-links/:linkId/cancel-mail": ASKED_HERE,
  "GET /tasks/:taskId": SEEN_HERE,
  "GET /tasks/:taskId/dismiss": ASKED_HERE,
  "GET /invoices/new": ["signin", "403", "200", "200"],
  "GET /invoices/:invoiceId/links": ASKED_HERE,
  "GET /invoices/:invoiceId/edit": ["signin", "403", "303", "404"],
  "GET /invoices/:invoiceId/edit/void": ["signin", "403", "303", "404"],
  "POST /attention/:itemId/resolve": NOWHERE,
  "POST /payments/held/review": NOWHERE,
  "POST /payments/held/push": NOWHERE,
  "POST /payments/:paymentId/push": NOWHERE,
  "POST /payments/:paymentId/settle": NOWHERE,
  "POST /payment-links/:linkId/withdraw": NOWHERE,
  "POST /payment-links/:linkId/cancel-mail": NOWHERE,
  "POST /payment-links/:linkId/reschedule": NOWHERE,
  "POST /payment-links/:linkId/resend": NOWHERE,
  "POST /tasks/:taskId/links": NOWHERE,
  "POST /tasks/:taskId/dismiss": NOWHERE,
  "POST /invoices/new": NOWHERE,
  "POST /invoices/:invoiceId/links": NOWHERE,
  "POST /invoices/:invoiceId/edit": NOWHERE,
  "POST /invoices/:invoiceId/edit/settle": NOWHERE,
  "POST /invoices/:invoiceId/edit/void": NOWHERE,
};
