import type { Requirements } from "../requirements.ts";

export default {
  "service.7.total":
    "whatever is sent, the answer is one of the described ones, never a 500, and the store stays sound",
} satisfies Requirements;
