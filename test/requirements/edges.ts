import type { Requirements } from "../requirements.ts";

export default {
  "contract.edges.erp.answer-bounds":
    "an ERP's answer is bounded in bytes after unpacking, in values and in depth, and holds nobody up",
  "contract.edges.erp.answer-time": "an ERP's answer that drips without end is cut off by a time for the whole request",
  "contract.edges.erp.person-address":
    "an ERP address that a person named leads to the public internet, checked at every connection",
  "contract.edges.lookups.dead-dns": "names whose DNS never answers hold no thread, and hold no honest name up",
  "contract.edges.lookups.own-share":
    "each kind of work looks names up by a share of its own, in time, and failures are remembered",
  "contract.edges.issuers.answer-bounds": "an identity provider's answer is bounded in bytes after unpacking",
  "contract.edges.clients.failed-fetches":
    "documents and keys of clients that failed are not fetched again for a while, and are counted per address",
  "contract.edges.sign-in.growing-delay":
    "wrong passwords are limited per account and address, with a delay that grows",
  "contract.edges.sign-in.at-once": "the limit of wrong passwords on an account holds for those that are sent at once",
  "contract.edges.sign-in.known-address":
    "outsiders never keep somebody out from an address they signed in from before",
  "contract.edges.sign-in.known-browser":
    "somebody who guesses at a person's own address keeps them out of no browser they signed in with",
  "contract.edges.sign-in.untold":
    "what a wrong password is answered with does not tell whether its person signed in from that address before",
  "contract.edges.sign-in.nobody-else": "a thousand wrong passwords from six networks do not shut everybody out",
  "contract.edges.sign-in.memory": "addresses people signed in from are remembered hashed, bounded, and for a time",
  "contract.edges.sign-in.fair-work": "the work of checking passwords is bounded and shared fairly by address",
  "contract.edges.links.hourly":
    "an assistant connection issues at most 60 links an hour, counted in links; refused batches do not count",
  "contract.edges.links.live":
    "an installment holds at most 12 live links, over every route; the conflict names their ids",
  "contract.edges.host.one":
    "a request names one host: two Host headers, or a target of another host, are 400 (RFC 9112 §3.2)",
  "contract.edges.host.every-face":
    "only the public host is served, on every path; health checks under any, and without one",
  "contract.edges.headers.every-answer": "nosniff, and over https HSTS, stand on every answer, errors included",
  "contract.edges.security-txt":
    "security.txt names the contact that is set, with an Expires ahead; without one there is none",
  "contract.edges.webhooks.limit":
    "refused notifications are limited per address; signed ones are taken whatever was counted",
  "contract.edges.webhooks.forged":
    "Stripe's notifications that are forged take a fifth of a processor at most, as do genuine ones, and neither who proved one lately nor who is sent some from the same address waits for them",
  "contract.edges.webhooks.unread":
    "no notification is read for an unknown id, and few of an address at once, for a few seconds, for a known one",
  "contract.edges.oauth.limits":
    "authorize, token and revocation are limited per address before anything is kept; genuine codes and tokens are served",
  "contract.edges.log.bounded": "what callers whom nobody knows can make the service log is bounded",
  "contract.edges.log.short": "a line of the log is short, however long what strangers send",
  "contract.http.compression":
    "JSON above 1 KiB is compressed as the client takes it, varied by it; event streams and pages for people never are",
  "contract.http.keep-alive": "a connection is kept for 75 seconds, which holds up no stop",
  "contract.http.log-names": "the log of requests names key and workspace, bounded and without control characters",
} satisfies Requirements;
