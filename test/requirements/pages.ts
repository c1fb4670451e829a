import type { Requirements } from "../requirements.ts";

export default {
  "completions.1.member-audit": "what is done to members is audited: by whom, and to whom",
  "contract.pages.last-admin": "a workspace keeps an admin, whatever is done on its pages at once",
  "contract.pages.invitations":
    "an invitation lets the owner of an address in, once, for seven days, and takes no account over",
  "contract.pages.members": "an admin invites people by mail, changes roles and removes members, whose assistants stop",
  "service.1.person-acts": "connecting an ERP, what it syncs, reconnecting it and switching sync on are done on a page",
  "service.3.1.words": "a connection's status, and the freshness of its figures, are told in words",
  "contract.pages.erp-twin":
    "an ERP is connected again, as any user, only when that is confirmed, and its page says so",
  "contract.pages.erp-left":
    "an ERP whose invoices stayed after it was disconnected is connected again only when that is confirmed",
  "contract.pages.erp-moved":
    "payments and payment links follow a connection to another address only when that is confirmed",
  "contract.pages.erp-retire":
    "an admin sees what a held pull would retire, by business unit and amount, and confirms or leaves it",
  "contract.pages.erp-connections": "an admin connects ERPs of their workspaces; no page shows a credential",
  "contract.erp.checked": "an ERP is asked before its connection is kept, unless whoever connects it says otherwise",
  "contract.pages.erp-hosts": "whoever is no operator names public https hosts alone, and in a demo this machine",
  "service.1.connecting-made-easy":
    "the address tells a browser how each common assistant is connected, as the README does",
  "facts.mcp.get": "GET is a page for a browser alone: for clients 401 without a token comes before 405",
  "facts.pages.accessible":
    "axe and html-validate find nothing on any page, light and dark, at 320, 390, 768 and 1280 px; nothing scrolls sideways",
  "facts.pages.keyboard": "every page can be used with only a keyboard, and shows where one is",
} satisfies Requirements;
