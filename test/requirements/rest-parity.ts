import type { Requirements } from "../requirements.ts";

export default {
  "service.1.routes": "both routes answer the same tenant's reads and errors alike",
  "completions.13.single-reads":
    "payments, tasks, ERP connections and workflows are read one by one, as lists have them",
} satisfies Requirements;
