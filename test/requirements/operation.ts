import type { Requirements } from "../requirements.ts";

export default {
  "contract.operation.metrics":
    "with METRICS_PORT, Prometheus reads what every face, job, queue and the store do, on a port of its own",
  "contract.operation.metrics-private": "no figure and no span names a workspace, a person or a secret",
  "contract.operation.resource":
    "metrics and traces name the process, and OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say what it is",
  "contract.operation.queue-age": "a queue is as old as what was wanted first, also while that waits between attempts",
  "contract.operation.alerts":
    "each alert of deploy/alerts.yaml adds up over all series, is of metrics that there are, and has a section in the runbook: what it means, how to look, what to do, when it is over",
  "contract.operation.probes": "health probes are neither logged, measured nor traced",
  "contract.operation.traces":
    "with a collector, a call is one trace from the request to its statements, in the caller's own trace",
  "contract.operation.telemetry-off": "without the switch nothing is measured, and nothing of the telemetry is loaded",
  "contract.operation.rolling":
    "behind HAProxy, nginx and Caddy, with the files of deploy/, processes are restarted one after the other and no request is lost",
  "contract.operation.pieces":
    "behind them a body in thousands of pieces of one byte comes as a few large ones; a process that is sent the pieces ends the connection",
  "contract.operation.certificates":
    "an ERP, a mail server, an issuer or a PostgreSQL with a bad certificate is told of as such (expired, of an unknown authority, for another name), and NODE_EXTRA_CA_CERTS names an authority of one's own",
  "contract.operation.upgrade":
    "a store is brought up to date by whoever opens it first, gets its roles back, and is left alone where a later version wrote it, or none that was released",
  "contract.operation.side-by-side":
    "a process goes on, every figure right, while the next version has added to the tables, and is started no more from then on",
  "contract.operation.encryption-key":
    "the encryption key is changed by one command, at any point of which everything stays readable",
  "contract.operation.sealed-whole": "an encrypted value with a shortened tag is not read",
  "contract.operation.backup":
    "a backup of either store, restored into either, holds every row; tokens and keys handed out before are good, and it says that so is what was revoked since",
  "contract.operation.old-node": "a Node that is too old is told so in one line",
  "contract.operation.damaged-backup": "a damaged backup is refused with the name of its first damaged part",
  "contract.operation.retention":
    "mails, executions and audit entries are kept for as long as settings say; what is kept for how long is said of every table",
  "contract.operation.operator":
    "every command of README.md, docs/ and deploy/ is run as written, on the embedded store, on PostgreSQL and on the newest one, or stands in a list with the reason why it is not",
  "contract.operation.documents": "every command, setting and metric in the documents is one that there is",
  "contract.operation.deploy":
    "what deploy/ has for several servers gives no container more rights than needed, holds no secret, takes images by digest, and has the settings that are measured",
  "contract.operation.image":
    "the image has what it runs on and nothing more, as a user without rights on a file system it cannot write to",
  "contract.operation.image-built":
    "where an engine is to be had, the image is built from its Dockerfile on a base named by digest, and starts without root and capabilities on a read-only file system",
  "contract.operation.locked": "every package comes from the registry, with a hash of what it holds in the lock",
  "contract.operation.sbom":
    "the CycloneDX document lists what the lock lists: package, version, hash, licence, and whether the image has it; the same lock gives the same bytes",
  "contract.operation.licences":
    "each package has a licence of a closed list, which is shorter for what the image has; anything else is refused",
  "contract.operation.advisories":
    "a database of advisories that is given is compared with the lock: a package that one concerns fails, and so does a database that cannot be read, is empty or is old; nobody else is asked",
  "contract.operation.contents":
    "what the image and the package hold is a list, and how the image is made a list of steps",
  "contract.operation.same-bytes": "two builds of a package, and of an image's layers, are the same byte for byte",
  "contract.operation.log-redaction":
    "no password, key, token, cookie or link is in any line of the log of a busy run, failures included",
} satisfies Requirements;
