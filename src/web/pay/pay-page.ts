import { type Request, type RequestHandler, type Response, Router } from "express";
import type { Core } from "../../core/gate/dependencies.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { readableDate, readableMoney, readableTime } from "../../core/mail/readable.ts";
import { decideInSandbox, type SandboxPage, sandboxPage } from "../../core/payments/events/sandbox-payment.ts";
import { sendFailure } from "../kit/error-page.ts";
import { pageHeaders } from "../kit/headers.ts";
import { renderPage } from "../kit/layout.ts";
import { facts, type Html, html, type Inserted, paragraph, statusNote } from "../kit/markup.ts";

/**
 * `/pay/<token>`: the sandbox's pay page (completions §7), where no money moves. Mounted in a
 * demo only. Anybody with the address may pay, as with any payment link.
 */
export function payPages({ core, publicOrigin }: { core: Core; publicOrigin: string }): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const setHeaders = pageHeaders({ publicOrigin });
  const PATH = "/pay/:token";
  const decide = (as: "payment_confirmed" | "payment_failed", query: string): RequestHandler<{ token: string }> =>
    answering(core, async ({ params: { token } }, response) => {
      await decideInSandbox(core, token, as).catch(unlessWithdrawn);
      response.redirect(303, `/pay/${token}${query}`);
    });
  const show = answering(core, async (request, response) => {
    const page = await sandboxPage(core, request.params.token);
    const declined = request.query.declined !== undefined && page.status === "active";
    const body = view(page, request.path, declined);
    response.send(renderPage({ title: "Payment", person: null, narrow: true, body }));
  });
  router.get(PATH, setHeaders, show);
  router.post(`${PATH}/pay`, setHeaders, decide("payment_confirmed", ""));
  router.post(`${PATH}/decline`, setHeaders, decide("payment_failed", "?declined"));
  return router;
}

function view(page: SandboxPage, path: string, declined: boolean): Html {
  const { workspace, contact, invoiceNumber, amount, currency, due, paidAt } = page;
  const asked = readableMoney(amount, currency);
  const forms = html`<div class="actions"><form method="post" action="${path}/pay"><button>Pay</button></form>
<form method="post" action="${path}/decline"><button class="plain">Decline</button></form></div>`;
  const said: Partial<Record<SandboxPage["status"], Inserted>> = {
    paid: [
      statusNote("Paid. Thank you."),
      facts([
        ["Paid on", paidAt && readableTime(paidAt, page.timezone)],
        ["Amount", asked],
        ["Reference", page.reference],
      ]),
      paragraph(`Keep this page: ${workspace} finds your payment by the reference.`),
    ],
    deactivated: statusNote(`This payment link is no longer active. Ask ${contact} for another.`),
  };
  return html`<h1>${asked}</h1>
${facts([
  ["To", workspace],
  ["Invoice", invoiceNumber],
  due !== null && ["Due", readableDate(due)],
  ["Questions", contact],
])}
${declined && statusNote("The payment was declined. Nothing was taken.")}
${said[page.status] ?? forms}
<p class="quiet">This is a sandbox: no money moves.</p>`;
}

/** The page itself says that its link was withdrawn, and whom to ask. */
function unlessWithdrawn(error: unknown) {
  if (!(error instanceof ServiceError) || error.code !== "conflict") throw error;
}

type Answer = (request: Request<{ token: string }>, response: Response) => Promise<void>;

/** Shows what went wrong as a page. */
function answering({ log }: Core, work: Answer): RequestHandler<{ token: string }> {
  return async (request, response) => {
    try {
      await work(request, response);
    } catch (thrown) {
      sendFailure(response, thrown, { log, event: "pay_page.failed", title: "This payment did not go through" });
    }
  };
}
