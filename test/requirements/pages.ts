import type { Requirements } from "../requirements.ts";

export default {
  "completions.1.member-audit": "what is done to members is audited: by whom, and to whom",
  "contract.pages.last-admin": "a workspace keeps an admin, whatever is done on its pages at once",
  "contract.pages.invitations":
    "an invitation lets the owner of an address in, once, for seven days, and takes no account over",
  "contract.pages.members": "an admin invites people by mail, changes roles and removes members, whose assistants stop",
} satisfies Requirements;
