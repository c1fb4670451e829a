import type { Requirements } from "../requirements.ts";

export default {
  "contract.admin.tables": "lists at the terminal can be read at its width",
  "contract.admin.controls":
    "nothing that somebody wrote moves a cursor, colours or turns around what an operator reads",
  "contract.admin.faults": "errors at the terminal name options as people type them, each once",
  "contract.admin.money": "money at the terminal is written in one way, and no JSON is shown to people",
  "service.5.1.shown-once": "an API key is shown once, at creation, and cannot be read again",
  "service.5.4.malformed-key": "a malformed key is told from a well-formed one by itself",
  "completions.1.member-removal": "a removed member is a tombstone, and every assistant connection of theirs ends",
  "completions.1.removed-acts":
    "what somebody is at on a page as they are removed, or are an admin no longer, is not waited for and commits nothing; nor does it once their session has ended, or keep anybody else in",
  "completions.1.operator-audit": "what an operator changes at the terminal leaves an audit entry",
  "contract.admin.operator-trail":
    "what operators do stands in the audit trail under their system user's name; backups, restores and key rotations in every workspace's",
  "contract.admin.audit-list": "the audit trail is listed at the terminal by day, person and operation",
  "contract.admin.assistant-revoke":
    "one assistant connection, all of a person or all of a workspace are ended at the terminal, at once",
  "contract.admin.member-export":
    "all that is kept about a person is shown at the terminal, in one workspace or all, without secrets",
  "contract.admin.member-erase":
    "a person is erased at the terminal, in one workspace or all: no row has their name or addresses, what they did stays",
  "contract.admin.workspace": "workspaces are made, changed and listed at the terminal",
  "contract.admin.workspace.timezone": "a time zone is kept by IANA's own name, however it was written",
  "contract.admin.member": "members are added, given roles, removed and listed at the terminal",
  "contract.admin.api-key": "API keys are made, listed and revoked at the terminal",
  "contract.admin.erp": "ERP connections are made, changed, pulled and listed at the terminal",
  "contract.admin.erp-sync-wait": "erp sync --wait tells how the run went, by its exit code too",
  "contract.admin.erp-retire-missing": "erp sync --retire-missing confirms what a held pull would retire",
  "contract.admin.integration": "payment integrations are connected, disconnected and listed at the terminal",
  "contract.admin.invoice": "local invoices are made at the terminal, with and without customer and installments",
  "contract.admin.customer-email": "a customer's billing email is overridden at the terminal",
  "contract.admin.help": "each level of the command line has --help, and --json prints the result as JSON",
  "contract.admin.stdin": "secrets come by standard input and never by argument",
  "contract.admin.socket": "with the embedded store the command line reaches the running server through a local socket",
  "contract.admin.no-store":
    "a command on a data folder without a store makes none, but for those that begin a service",
  "completions.1.audit.page":
    "an admin sees who did what, through which assistant or key, on what, when, with which outcome and in which request",
  "completions.1.audit.labels":
    "payments, links, invoices and items for people are called in the trail by number, customer and amount, and what was done to a receipt is told",
  "completions.1.audit.changed": "an entry about a change of settings says what was before and what is now",
  "completions.1.audit.search": "the trail is searched by customer, object and text, within the workspace",
  "completions.1.audit.pages": "the trail is walked newest first, each entry once, whatever is added meanwhile",
  "completions.1.audit.filters": "the trail is narrowed by person, connection and operation",
  "completions.1.audit.admins": "a trail is for the admins its workspace has now, and tells of no other workspace",
  "completions.7.integrations.page":
    "an admin connects and disconnects payment providers on a page; their keys are never shown again",
} satisfies Requirements;
