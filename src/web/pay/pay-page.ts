import { type Response, Router } from "express";
import type { Core } from "../../core/gate/dependencies.ts";
import { money } from "../../core/kernel/money.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { decideInSandbox, type SandboxPage, sandboxPage } from "../../core/payments/events/sandbox-payment.ts";
import { sendFailure } from "../kit/error-page.ts";
import { type Html, html } from "../kit/html.ts";
import { renderPage } from "../kit/layout.ts";
import { PageRoutes } from "../kit/page-routes.ts";

/**
 * `/pay/<token>`: the sandbox's pay page (completions §7), where no money moves. Mounted in a
 * demo only. Anybody with the address may pay, as with any payment link.
 */
export function payPages({ core, publicOrigin }: { core: Core; publicOrigin: string }): Router {
  const routes = new PageRoutes({ publicOrigin }, Router({ caseSensitive: true, strict: true }));

  routes.get<{ token: string }>("/pay/:token", (request, response) =>
    answer(core, response, async () => {
      const page = await sandboxPage(core, request.params.token);
      const declined = request.query.declined !== undefined && page.status === "active";
      response.send(
        renderPage({ title: "Payment", person: null, narrow: true, body: view(page, request.path, declined) }),
      );
    }),
  );

  routes.post<{ token: string }>("/pay/:token/pay", (request, response) =>
    answer(core, response, async () => {
      await decideInSandbox(core, request.params.token, "payment_confirmed");
      response.redirect(303, `/pay/${request.params.token}`);
    }),
  );

  routes.post<{ token: string }>("/pay/:token/decline", (request, response) =>
    answer(core, response, async () => {
      await decideInSandbox(core, request.params.token, "payment_failed");
      response.redirect(303, `/pay/${request.params.token}?declined`);
    }),
  );
  return routes.router;
}

function view(
  { workspace, invoiceNumber, amount, currency, status }: SandboxPage,
  path: string,
  declined: boolean,
): Html {
  const forms = html`<div class="actions"><form method="post" action="${path}/pay"><button>Pay</button></form>
<form method="post" action="${path}/decline"><button class="plain">Decline</button></form></div>`;
  const said: Partial<Record<SandboxPage["status"], Html>> = {
    paid: html`<p class="status" role="status">Paid. Thank you.</p>`,
    deactivated: html`<p class="status" role="status">This payment link is no longer active.</p>`,
  };
  return html`<h1>${readableMoney(money(amount), currency)}</h1>
<p>To ${workspace}, for ${invoiceNumber === null ? "an invoice" : html`invoice ${invoiceNumber}`}.</p>
${declined && html`<p class="status" role="status">The payment was declined. Nothing was taken.</p>`}
${said[status] ?? forms}
<p class="quiet">This is a sandbox: no money moves.</p>`;
}

/** Shows what went wrong as a page. */
async function answer({ log }: Core, response: Response, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    sendFailure(response, thrown, { log, event: "pay_page.failed", title: "This payment did not go through" });
  }
}
