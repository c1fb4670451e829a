import type { Requirements } from "../requirements.ts";

export default {
  "service.4.1.walk": "rows that existed throughout a walk appear exactly once, whatever changes meanwhile",
} satisfies Requirements;
