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
} satisfies Requirements;
