import type { Requirements } from "../requirements.ts";

export default {
  "facts.store.references":
    "every reference is checked by the primary key it names, also where its plan is made while the table is empty",
} satisfies Requirements;
