import { PAGES } from "../../../src/web/pages.ts";
import { COLLECTING_DOORS } from "./collecting-doors.ts";
import { RUNNING_DOORS } from "./running-doors.ts";

/**
 * What a door answers to nobody, a member, an admin and an admin of another workspace, each with the ids of the first workspace:
 * a status, or `signin` for the way to sign in first. A form is sent with its token and nothing else in it.
 */
export type Door = readonly [nobody: string, member: string, admin: string, stranger: string];

const OPEN: Door = ["200", "200", "200", "200"];
/** One's own: the page of a stranger shows what is theirs. */
const OWN: Door = ["signin", "200", "200", "200"];
/** Of workspaces that one is an admin of. */
const ADMINS: Door = ["signin", "403", "200", "200"];
/** Of the workspace in the address, for its admins. */
const ADMINS_HERE: Door = ["signin", "404", "200", "404"];
const MEMBERS_HERE: Door = ["signin", "200", "200", "404"];
/** A form of a workspace that its admins send; empty it does something, or is refused for what it lacks. */
const DONE_HERE: Door = ["signin", "404", "303", "404"];
const EMPTY_HERE: Door = ["signin", "404", "400", "404"];
/** Opened by a secret in the address; the one here is made up. */
const BY_SECRET: Door = ["404", "404", "404", "404"];
/** Of an authorization that is under way in the browser. */
const UNDER_WAY: Door = ["400", "400", "400", "400"];
/** The address of a form, opened by itself: leads to the form's page. */
const TO_ITS_PAGE: Door = ["303", "303", "303", "303"];

const OTHERS: Readonly<Record<string, Door>> = {
  "GET /": OPEN,
  "GET /signin": ["200", "303", "303", "303"],
  "GET /signin/code": ["signin", "signin", "signin", "signin"],
  "GET /password/forgotten": OPEN,
  "GET /password/reset/:token": BY_SECRET,
  "GET /invitations/:token": BY_SECRET,
  "GET /organisation": OPEN,
  "GET /organisation/:tenantId/callback": UNDER_WAY,
  "GET /oauth/interaction/:uid": UNDER_WAY,
  "GET /pay/:token": BY_SECRET,
  "GET /signout": OWN,
  "GET /search": OWN,
  "GET /settings": OWN,
  "GET /password": OWN,
  "GET /mails-to-you": OWN,
  "GET /security": OWN,
  "GET /security/factor": OWN,
  "GET /connections": OWN,
  "GET /connections/:connectionId/permissions": MEMBERS_HERE,
  "GET /api-keys": ADMINS,
  "GET /integrations": ADMINS,
  "GET /integrations/:tenantId/:provider/disconnect": ADMINS_HERE,
  "GET /audit": ADMINS,
  "GET /audit.csv": ADMINS,
  "GET /mails": ADMINS,
  "GET /mails/:tenantId/customers/:customerId": ADMINS_HERE,
  "GET /mails/:tenantId/preview": ADMINS_HERE,
  "GET /mails/:tenantId/preview/mail": ADMINS_HERE,
  "GET /logo.png": ["signin", "404", "404", "404"],
  "GET /sign-in-rules": ADMINS,
  "GET /members": ADMINS,
  "GET /members/:tenantId/:memberId/remove": ADMINS_HERE,
  "GET /erp-connections": ADMINS,
  "GET /erp-connections/:tenantId/:connectionId/disconnect": ADMINS_HERE,
  "GET /erp-connections/:tenantId/:connectionId/retire": ["signin", "404", "404", "404"],
};

const RECEIVABLES: Readonly<Record<string, Door>> = {
  "GET /customers": OWN,
  "GET /customers.csv": OWN,
  "GET /customers/:key": MEMBERS_HERE,
  "GET /customers/:key/statement": MEMBERS_HERE,
  "GET /customers/:key/statement.csv": MEMBERS_HERE,
  "GET /invoices": OWN,
  "GET /invoices.csv": OWN,
  "GET /invoices/:invoiceId": MEMBERS_HERE,
  "GET /installments": OWN,
  "GET /installments.csv": OWN,
  "GET /bridge": OWN,
  "GET /bridge/invoices": OWN,
  "GET /bridge/invoices.csv": OWN,
  "GET /payment-links": OWN,
  "GET /payment-links.csv": OWN,
  "GET /tasks": OWN,
  "GET /tasks.csv": OWN,
  "GET /payments": OWN,
  "GET /payments.csv": OWN,
  "GET /sync-runs": OWN,
  "GET /sync-runs.csv": OWN,
  "GET /sync-runs/:runId": MEMBERS_HERE,
};

/** The addresses of forms, opened by themselves. */
const ADDRESSES_OF_FORMS = Object.fromEntries(
  PAGES.flatMap(({ routes }) => routes)
    .filter(({ door }) => door === "back")
    .map(({ path }): [string, Door] => [`GET ${path}`, TO_ITS_PAGE]),
);

/** What takes something away comes last: the forms before are about it. */
const FORMS: Readonly<Record<string, Door>> = {
  "POST /signin": ["400", "400", "400", "400"],
  "POST /signin/code": ["signin", "signin", "signin", "signin"],
  "POST /password/forgotten": OPEN,
  "POST /password/reset/:token": BY_SECRET,
  "POST /invitations/:token": BY_SECRET,
  "POST /organisation": UNDER_WAY,
  "POST /oauth/interaction/:uid/signin": UNDER_WAY,
  "POST /oauth/interaction/:uid/decision": UNDER_WAY,
  "POST /oauth/interaction/:uid/signout": ["303", "303", "303", "303"],
  "POST /pay/:token/pay": BY_SECRET,
  "POST /pay/:token/decline": BY_SECRET,
  "POST /signout": ["signin", "signin", "signin", "signin"],
  "POST /password": ["signin", "400", "400", "400"],
  "POST /password/mail": ["signin", "303", "303", "303"],
  "POST /mails-to-you": ["signin", "404", "404", "404"],
  "POST /security/sessions/end": ["signin", "303", "303", "303"],
  "POST /security/sessions/end-others": ["signin", "303", "303", "303"],
  "POST /security/factor": ["signin", "303", "303", "303"],
  "POST /security/factor/off": ["signin", "303", "303", "303"],
  "POST /security/factor/codes": ["signin", "303", "303", "303"],
  "POST /connections/:connectionId/permissions": ["signin", "303", "303", "404"],
  "POST /connections/:connectionId/remove": ["signin", "400", "400", "400"],
  "POST /connections/:tenantId/assistants": EMPTY_HERE,
  "POST /connections/:connectionId/revoke": ["signin", "303", "303", "404"],
  "POST /connections/:tenantId/:connectionId/allow": ["signin", "404", "404", "404"],
  "POST /api-keys/:tenantId": EMPTY_HERE,
  "POST /api-keys/:tenantId/:keyId/revoke": DONE_HERE,
  "POST /integrations/:tenantId/:provider": ["signin", "404", "404", "404"],
  "POST /integrations/:tenantId/:provider/disconnect": DONE_HERE,
  "POST /mails/:tenantId": DONE_HERE,
  "POST /mails/:tenantId/logo": EMPTY_HERE,
  "POST /mails/:tenantId/logo/remove": DONE_HERE,
  "POST /mails/:tenantId/customers/:customerId": DONE_HERE,
  "POST /sign-in-rules/:tenantId": DONE_HERE,
  "POST /members/:tenantId": EMPTY_HERE,
  "POST /members/:tenantId/invitations/:invitationId/withdraw": DONE_HERE,
  "POST /members/:tenantId/:memberId/role": DONE_HERE,
  "POST /members/:tenantId/:memberId/remove": DONE_HERE,
  "POST /erp-connections/:tenantId": EMPTY_HERE,
  "POST /erp-connections/:tenantId/:connectionId/reconnect": EMPTY_HERE,
  "POST /erp-connections/:tenantId/:connectionId/settings": EMPTY_HERE,
  "POST /erp-connections/:tenantId/:connectionId/on": DONE_HERE,
  "POST /erp-connections/:tenantId/:connectionId/sync": ["signin", "404", "422", "404"],
  "POST /erp-connections/:tenantId/:connectionId/off": DONE_HERE,
  "POST /erp-connections/:tenantId/:connectionId/retire": ["signin", "404", "404", "404"],
  "POST /erp-connections/:tenantId/:connectionId/disconnect": DONE_HERE,
};

const SHOWN = { ...OTHERS, ...RECEIVABLES, ...COLLECTING_DOORS, ...RUNNING_DOORS };

/** Each file of a list is a workbook too. */
const WORKBOOKS = Object.fromEntries(
  Object.entries(SHOWN)
    .filter(([route]) => route.endsWith(".csv"))
    .map(([route, door]) => [route.replace(/csv$/, "xlsx"), door]),
);

/** Every page and form. A new one fails the test until it has a row here that says who gets what. */
export const DOORS: Readonly<Record<string, Door>> = {
  ...SHOWN,
  ...WORKBOOKS,
  ...ADDRESSES_OF_FORMS,
  ...FORMS,
};

/** Forms of people who are not signed in: their tokens name no session. */
export const SIGNED_OUT_FORMS: ReadonlySet<string> = new Set([
  "POST /signin",
  "POST /signin/code",
  "POST /password/forgotten",
  "POST /password/reset/:token",
  "POST /oauth/interaction/:uid/signin",
]);

/** Forms that are refused before their token is looked at, or have none, because anybody with the secret in the address may pay. */
export const WITHOUT_TOKEN: ReadonlySet<string> = new Set([
  "POST /oauth/interaction/:uid/signin",
  "POST /oauth/interaction/:uid/decision",
  "POST /pay/:token/pay",
  "POST /pay/:token/decline",
]);
