import type { Requirements } from "../requirements.ts";

export default {
  "service.1.routes": "both routes answer the same tenant's reads and errors alike",
} satisfies Requirements;
