import type { Requirements } from "../requirements.ts";

export default {
  "service.1.tenant": "no input addresses another tenant; another tenant's id behaves like a missing one",
  "service.4.contract": "every operation answers every caller with the status, code and schema of its description",
  "service.5.6.source-address": "failures are counted by source address, behind a proxy only by a trusted one's word",
} satisfies Requirements;
