import type { Requirements } from "../requirements.ts";

export default {
  "pages.look.figures": "every figure of a list on the pages is the API's for the same filter, its totals too",
  "pages.look.overview":
    "the overview has the API's figures, its bars lead to their rows, and it names what waits for a person",
  "pages.look.new": "a new workspace sees what to set up in the place of zeros",
  "pages.look.copy": "addresses, commands and keys are copied at a button",
  "pages.look.statement": "a statement prints as tables, of what the customer owes and nothing internal",
  "pages.look.turns": "pages of one person take turns with those of others",
  "pages.look.downloads": "downloads that nobody takes to their end hold up no other workspace's",
  "pages.look.csv": "each list is a file of exact values, with its number of rows and without formulas",
  "pages.look.filters": "filters and sorts stand in the address; one that is refused is named beside its field",
  "pages.look.roles": "members read, strangers sign in, and ids of other workspaces are not found",
  "pages.look.settings": "the settings are one list in groups; beside each page they say where it is",
  "pages.look.names": "an ERP has one name on all pages and in the audit trail, and members see no hosts",
  "pages.look.workspaces": "somebody in several workspaces switches between them",
} satisfies Requirements;
