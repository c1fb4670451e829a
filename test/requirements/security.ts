import type { Requirements } from "../requirements.ts";

export default {
  "contract.security.reset":
    "a forgotten password is replaced by a link in a mail, once, for 30 minutes; every session ends",
  "contract.security.reset-unknown":
    "nobody learns from the answer, or from what it costs, whether an email has an account",
  "contract.security.reset-limits":
    "mails and tries of links are limited by account and by address; a valid link is served all the same",
  "contract.security.reset-guess": "no made-up, used, expired or other person's link leads to a new password",
  "contract.security.factor":
    "with a second factor on, a password opens nothing without a code, each of which works once",
  "contract.security.factor-guess": "guesses of codes are delayed more and more",
  "contract.security.recovery": "a recovery code stands in for the app, once",
  "contract.security.factor-required": "a workspace that requires a second factor is closed to a password only",
  "contract.security.factor-proof":
    "a session without the password changes nothing of a second factor: the current password is asked for, with a code; sessions end",
  "contract.security.factor-next":
    "who is asked to set up a second factor is led back to where they were going, here only",
  "contract.security.sso-required":
    "a workspace that requires single sign-on is closed to passwords; others of the person's are not",
  "contract.security.rules-lockout": "an admin cannot make a rule that locks them out at once",
  "contract.security.notices":
    "a person is told by mail, at their own address only, when their password or second factor changed, by themselves or an operator",
  "completions.11.invitation-vouches":
    "an invitation opens its own workspace only: a member of any signs in first, and only who belongs nowhere chooses a password",
  "completions.11.credentials-told": "a person is told by mail of every change of what they sign in with",
  "contract.security.sessions": "a person sees where they are signed in, and ends it there; nobody else's",
  "pages.security.table": "a page or form that the table of doors does not know fails the test",
  "pages.security.csrf": "a form counts from its own page only, in the session and browser it was made for",
  "pages.security.roles": "each page and form answers nobody, members, admins and strangers as a table says",
  "pages.security.headers": "every answer of a page or form has a page's headers, for each kind of caller",
  "pages.security.locks": "no caller chooses a name whose lock is another workspace's",
  "pages.security.many-parts": "no form of many parts or fields is read, nor keeps the process busy",
  "pages.security.turns":
    "a browser's own turn of pages is for a session that was found; invented cookies share their address's; two pages at once are a person's, and four of sixteen a workspace's",
  "pages.security.form-turns":
    "a person's forms are carried out some at a time, by themselves; beyond what may wait, or 300 in five minutes, they are refused with 429",
  "pages.security.outside-waits":
    "no page holds a turn while it waits for somebody outside, and some of a workspace's wait at once",
  "pages.security.held-forms":
    "a form whose rest comes after its session ended does nothing; of a person's forms with a file two are read at once",
  "pages.security.strangers": "no page tells a stranger anything by another workspace's ids",
  "pages.security.races": "of two who do at once what may be done once, or one of whom may no longer, one succeeds",
  "pages.security.words": "no word in the address of a page makes it fail",
  "pages.security.once":
    "a form that is sent twice at once, as by a double click, is carried out once and answered alike",
  "pages.security.formulas": "no file of any list has a cell that a spreadsheet runs",
  "facts.mcp.foreign-hosts": "a foreign Host is answered 421, a foreign Origin 403, null too",
  "facts.oauth.keys-unreachable": "where the keys of an issuer cannot be had nobody is let in, and the answer is 503",
  "facts.oauth.unknown-kid-storm": "unknown key ids cause no fetch within the cooldown",
} satisfies Requirements;
