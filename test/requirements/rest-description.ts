import type { Requirements } from "../requirements.ts";

export default {
  "service.4.2.endpoints": "every endpoint of the table is served with its permission",
  "service.9.description":
    "openapi.json is a valid OpenAPI 3.1 document that tells each operation's permission and side effects",
  "service.9.generators":
    "clients that generators make of the description compile under --strict and call the service as they are",
  "service.9.examples": "the examples of the description can occur: sums, states, dates, counts and ids agree",
  "completions.13.described":
    "every operation, parameter, body, header, property and value of openapi.json is described in a sentence",
  "service.9.reference": "the reference shows which key each operation takes, and its side effects",
  "completions.13.guides.totals":
    "what the guide says lies between aging, open invoices and all invoices adds up to the cent, in every workspace and currency of the demo",
  "completions.13.guides":
    "the guides' commands work and answer what is shown; every link and search result leads to its place",
  "service.9.samples": "the reference's samples are requests that the service takes, and compile with a client's types",
  "service.9.additive": "answers may gain fields, and no change of the description goes unseen",
} satisfies Requirements;
