import type { RequestHandler } from "express";
import { isBrowser, pageHeaders } from "../kit/headers.ts";
import { renderPage } from "../kit/layout.ts";
import {
  buttonLink,
  copyable,
  copyButtons,
  type Html,
  html,
  link,
  MAY,
  mayList,
  muted,
  NEVER_LIST,
} from "../kit/markup.ts";
import { type PublicAddresses, publicAddresses } from "../kit/public-addresses.ts";
import type { Site } from "../kit/site.ts";
import { type SetUp, setUps } from "./connect-assistant.ts";

/** `GET {mcp_url}` in a browser: how to connect an assistant. Other requests go on to the transport. */
export function setUpPage(site: Site, addresses: PublicAddresses): RequestHandler {
  const { publicOrigin, navigation } = site;
  const setHeaders = pageHeaders({ publicOrigin });
  const about = view(publicOrigin, addresses);
  return async (request, response, next) => {
    response.vary("Accept");
    if (!isBrowser(request)) return next();
    setHeaders(request, response);
    const person = await site.person(request).catch(() => null);
    const body = [about, copyButtons(response)];
    const page = { title: "Connect an assistant", path: request.path, person, navigation, body };
    response.type("html").send(renderPage(page));
  };
}

function view(publicOrigin: string, addresses: PublicAddresses): Html {
  const mcpUrl = `${publicOrigin}/mcp`;
  const isPublic = publicOrigin.startsWith("https:");
  const { "receivables:read": read, ...acts } = MAY;
  return html`<h1>Connect an assistant to your receivables</h1>
<p>Give your assistant this address. It opens your browser, where you sign in, choose the workspace and press
<strong>Allow</strong>.</p>
<div class="copied big">${copyable("the address", mcpUrl, "block")}</div>
<section>
<h2>Set it up</h2>
<div class="forms">${setUps(mcpUrl).map((assistant) => card(assistant, isPublic))}</div>
</section>
<section>
<h2>What it may do</h2>
<p>It acts for the person who allowed it, in the one workspace they chose, and sees what they may see.</p>
${mayList(read)}
<p>An admin can also allow it to:</p>
${mayList(...Object.values(acts))}
</section>
<section>
<h2>What it can never do</h2>
${NEVER_LIST}
<p>The person who allowed it, and every admin of the workspace, can stop it at once under
${link("/connections", "Assistant connections")}. What it changed is in the audit trail.</p>
</section>
${publicAddresses(addresses)}`;
}

const FROM_OUTSIDE = "It cannot reach this address: its makers connect from the internet, to a public one, over https.";

function card({ name, steps, link: opens, command, settings, needsPublicAddress }: SetUp, isPublic: boolean): Html {
  const copied = (what: string, text: string | undefined) =>
    text !== undefined && html`<div class="copied">${copyable(`the ${what} for ${name}`, text, "block")}</div>`;
  return html`<article class="card"><h3>${name}</h3>
${needsPublicAddress === true && !isPublic && muted(FROM_OUTSIDE)}
<p>${steps}</p>
${opens !== undefined && html`<p>${buttonLink(opens, `Add to ${name}`, "")}</p>`}
${copied("command", command)}${copied("settings", settings)}
</article>`;
}
