import type { Requirements } from "../requirements.ts";

export default {
  "completions.11.challenge": "the first challenge asks for reading alone",
  "completions.11.unticked": "on the consent page every write scope stands unticked, whatever the client asked for",
  "completions.11.step-up": "a later step-up shows the scope asked for ticked, and the others as they are",
  "completions.11.only-read":
    "a workspace may be set so that assistants only read: no write scope is offered, granted or used",
  "completions.11.only-read-lifted": "a workspace that lets assistants write again gives them back what they had",
  "completions.11.take-away":
    "whoever approved a connection, and an admin, takes permissions away, from its next call on",
  "completions.11.give":
    "whoever approved a connection gives it more of what they could grant, from its next call on, and refreshes keep it",
  "completions.11.whole-address": "the consent page shows the whole address the answer goes to",
  "completions.11.redirect-schemes":
    "redirect schemes of apps have a dot or are a known assistant's; everything else is refused at registration",
  "completions.11.error-page": "before anyone has signed in an authorization error is a page of ours, never a redirect",
  "completions.11.left-out":
    "a redirect address that is not taken is left out of a mixed list, which the answer shows, and refused alone",
  "completions.11.empty-lists": "empty lists of a registration mean the defaults",
  "completions.11.public-registration": "a client that names no way to authenticate is public and gets no secret",
  "completions.11.repeated-refresh":
    "a client that repeats all it once asked for when it refreshes gets what was granted",
  "completions.11.smaller-refresh": "a refresh that names another, smaller list of scopes narrows the token",
  "completions.11.unknown-scopes": "scope names that are not ours are ignored, at the authorization and at a refresh",
  "completions.11.last-document":
    "the last good metadata document and keys serve a client with a live connection; without them the answer is 503",
  "completions.11.no-documents": "CLIENT_METADATA_DOCUMENTS=off takes metadata documents out of service and metadata",
  "completions.11.approval-mail":
    "whoever approves is told by mail that an assistant was connected, with the way to revoke it",
  "completions.11.sign-in-trail": "sign-ins stand in the audit trail: success and failure, address, how",
  "completions.11.sign-in-bound": "strangers cannot fill the audit trail with failed sign-ins",
  "completions.11.approval-trail": "approvals and their ends stand in the audit trail, by whoever ended them",
  "completions.11.annotations":
    "destructiveHint is true for what cannot be taken back and for what customers may act on",
  "completions.3.fields-once":
    "customers by how late they pay come once each where only names and payment history are asked for, and limit counts them",
  "completions.3.sent":
    'null for an optional argument counts as left out, and "" where empty text has no meaning; JSON text of a list, object, integer or boolean is taken where it has exactly one reading',
  "completions.3.input-schemas":
    "Input schemas keep to what clients are known to take: [0-9] and not \\d, no lookarounds, $ref, anyOf or lists of types",
  "completions.3.fields":
    "lists answer the row fields asked for, the row's key always, an amount's currency with it, and all else as it was but totals of amounts nobody asked for",
  "facts.mcp.token-budget":
    "names, descriptions and arguments of all tools ≤ 5,500 tokens, tools/list ≤ 13,000, instructions ≤ 500",
  "contract.pages.password":
    "a person changes their password with the fields Current password and New password; their other sessions end",
  "facts.oauth.read-only-consent": "an admin ticks each write scope at consent, or none; reading stays",
  "facts.oauth.step-up":
    "scopes are added to a connection only for the same member, client and host, shown and confirmed; else a new one is made",
  "service.1.immediate-stop":
    "revocation, removal, demotion and the plan's loss of assistants act at once, in every process, on whatever is under way",
  "facts.oauth.key-rotation":
    "a new signing key signs once every process knows it, and the one it replaced checks until its tokens have expired",
  "facts.oauth.long-session": "in eight hours tokens expire and are refreshed, keys rotate, and nobody is asked again",
  "facts.mcp.prompts": "prompts are listed with described arguments, and each is one file",
  "facts.mcp.prompts-shown": "a prompt is offered to whoever may call all tools it needs, and is unknown to others",
  "facts.mcp.titles": "a tool's title stands where clients of either revision look for it",
  "facts.mcp.prompt-arguments": "what is left of an argument once it is cleaned is what was said, nothing is not said",
  "completions.10.prompts":
    "each prompt calls tools with arguments they take, and has the answer name currency, freshness and basis",
  "completions.10.prompt-dates": "dates in prompts are arguments, or worked out from business_date",
  "facts.mcp.completion": "arguments and template variables are completed from the caller's own workspace",
  "facts.mcp.resources": "resources and templates are what the operations answer; what is not there is -32002",
  "facts.mcp.guide": "the reading guide says of each figure what it means and must not be used for",
  "facts.mcp.icons": "the server's implementation info carries icons",
  "facts.mcp.progress": "a long call tells its progress to a client that asks for it, and only then",
  "completions.10.overdue-words":
    "no description, prompt, example or document sums invoices under a due filter and calls it overdue or due",
  "service.4.10.whole-invoices": "the invoice list's due filters select whole invoices and are not installment aging",
  "facts.oauth.client-flows":
    "Claude, ChatGPT, VS Code, Cursor, Inspector and others, as they describe themselves, get from nothing to refreshed tokens",
  "facts.mcp.server-conformance":
    "the official conformance suite for servers passes for 2025-06-18, in its stable and its newest release",
  "facts.views.plain": "a client that announces no views gets the same bytes as from a service without them",
  "facts.views.announced": "a client that announces views sees four, each at the tools that name it, from any process",
  "facts.views.document": "a view is at most 60 KB, asks nobody for anything, and has its hash in its address",
  "facts.views.member": "no view shows a member what only an admin may do",
  "facts.views.outage": "views that cannot be read take no tool away",
  "facts.views.shown":
    "each view is shown with the demo, nothing, hostile texts and 1,000 rows, light and dark, 320 to 800 px wide; axe finds nothing, targets are ≥ 44 px, no request leaves",
  "facts.views.figures": "every amount in a view equals structuredContent, letter for letter",
  "facts.views.inert": "names and numbers from outside are letters in a view",
  "facts.views.paint": "a view's first paint is at most 300 ms after the tool's result",
  "facts.views.host":
    "a view listens to its own host only, takes its colors as a whole or not, answers when it is to end, and shows what it cannot draw as a failure",
  "facts.views.acts":
    "a press in a view leads to the tool call it says, once: with a double click, a slow network, and after access ended, which is shown",
} satisfies Requirements;
