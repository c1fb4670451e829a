import type { Requirements } from "../requirements.ts";

export default {
  "contract.demo.credentials": "demo.json (0600) is made once, random, in the shape of the contract",
  "contract.demo.cast":
    "workspaces in different timezones, each with an admin, a member and a key of each permission; one person in two",
  "contract.demo.companies": "two companies that look real, and a third workspace with every odd case",
  "contract.demo.connector":
    "the demo's invoices came in through the connector, and pulls go on working at later starts",
  "contract.demo.coverage": "every enum value of service.md §2–3 that the built operations can show occurs in the demo",
  "contract.demo.names":
    "customers who share a name, one with several emails, names that are easy to get wrong, unassigned rows",
  "contract.demo.resume": "a first start that was cut off is completed by the next one",
  "contract.demo.members": "a first start that was cut off leaves no workspace without members",
  "contract.demo.version":
    "a demo that another version made goes on working; one that another version began is left unchanged, and the log says so",
  "contract.demo.restored": "a demo that was restored without the demo's files starts, and nothing is added to it",
} satisfies Requirements;
