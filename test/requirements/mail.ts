import type { Requirements } from "../requirements.ts";

export default {
  "completions.7.smtp": "mail goes out by SMTP, text and HTML parts, exactly as composed, to one recipient",
  "completions.7.outbox":
    "without an SMTP URL messages land in the outbox folder, once each, whole, for the service alone",
  "facts.email.errors": "4xx and lost connections are temporary, 5xx is permanent",
  "completions.7.mail-inert": "no text from outside can become a link in a mail to a member, of any kind",
  "completions.7.mail-injection": "no value can add a recipient, a header or markup to a message",
} satisfies Requirements;
