import type { Requirements } from "../requirements.ts";

export default {
  "operation.metrics":
    "with METRICS_PORT, Prometheus reads what every face, job, queue and the store do, on a port of its own",
  "operation.metrics-private": "no figure and no span names a workspace, a person or a secret",
  "operation.traces":
    "with a collector, a call is one trace from the request to its statements, in the caller's own trace",
  "operation.telemetry-off": "without the switch nothing is measured, and nothing of the telemetry is loaded",
  "operation.upgrade": "data written by the first set of migrations opens with the newest, every figure as it was",
  "operation.encryption-key":
    "the encryption key is changed by one command, at any point of which everything stays readable",
  "operation.backup":
    "a backup of either store, restored into either, holds every row; tokens and keys handed out before are good",
} satisfies Requirements;
