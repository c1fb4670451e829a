import { documentedCommands } from "./documents.ts";

const all = documentedCommands();

/** Commands that are not run as they are written, by the reason. */
export const NOT_RUN: Readonly<Record<string, readonly string[]>> = {
  "asks a registry for packages, which were there before any test": ["npm ci", "npm run clients"],
  "is what these tests are a part of": ["npm test", "npm run conformance"],
  "changes the machine: test/operation/deploy.test.ts asks systemd about the unit": [
    "sudo useradd --system --home-dir /var/lib/receivables --shell /usr/sbin/nologin receivables",
    "sudo chown root:receivables /etc/receivables.env",
    "sudo chmod 640 /etc/receivables.env",
    "sudo install -m 644 deploy/receivables.service /etc/systemd/system/receivables.service",
    "sudo systemctl daemon-reload",
    "sudo systemctl enable --now receivables",
    "sudo journalctl --unit receivables --since today",
    "sudo -u receivables sh -c 'cd /opt/receivables; set -a; . /etc/receivables.env; DATA_DIR=/var/lib/receivables npm run admin -- workspace list'",
    "sudo install -m 644 deploy/logrotate.conf /etc/logrotate.d/receivables",
  ],
  "needs Docker's engine and a registry of images: test/operation/image-built.test.ts has buildah build and start the image":
    [
      "docker compose up --detach",
      'docker compose exec receivables node src/admin/main.ts workspace create --name "Acme" --timezone Europe/Berlin',
      "docker compose --file deploy/compose-ha.yaml up --detach",
      "docker compose --file deploy/compose-citus.yaml up --detach",
      "docker buildx imagetools inspect node:24-bookworm-slim --format '{{.Manifest.Digest}}'",
      "export NODE_IMAGE=node:24-bookworm-slim@sha256:<digest>",
      "docker buildx build --build-arg SOURCE_DATE_EPOCH=0 --provenance=false --output type=oci,dest=image.tar,rewrite-timestamp=true .",
    ],
  "asks the internet for advisories: test/operation/packages.test.ts makes some": [
    "curl -fO https://osv-vulnerabilities.storage.googleapis.com/npm/all.zip",
    "unzip -q all.zip -d advisories",
    "npm run packages -- advisories advisories --max-age-days 7",
  ],
  "needs Patroni, etcd and Citus: test/cluster starts the same clusters": [
    "npm run cluster -- ha",
    "npm run cluster -- citus",
    "npm run cluster -- ha -- sh -c 'psql \"$DATABASE_URL\"'",
    "npm run torture -- ha-killed ha-frozen ha-switched",
  ],
  "is for who develops the service": [
    "npm run questions",
    "npm run questions -- --book demo sum-overdue filter-disputed",
    "EVALS_API_KEY=<key> npm run evals -- --endpoint https://models.example/v1 --model <name> --out before",
    "npm run evals -- --help",
    'npx vitest run test/views/views.chromium.test.ts -t "aging"',
    "node docs/tools.ts",
  ],
  "measures for most of an hour": ["npm run bench -- large", "BENCH_TENANTS=20000 npm run bench -- midnight"],
  "lifts a block on what an issuer of one's own issued: test/auth/external-issuer-service.test.ts": [
    'npm run admin -- assistant allow --workspace Acme --id "$CONNECTION_ID"',
  ],
  "asks for a password at the terminal; it is run as operate.md has it, --password-stdin": [
    "npm run admin -- erp reconnect --workspace Acme",
  ],
  "is settings and options for one vendor's provider: test/operation/documents.test.ts reads them": [
    "--issuer https://login.microsoftonline.com/<directory id>/v2.0 --trust-email on",
    "OAUTH_ISSUER=https://acme.okta.com/oauth2/default  OAUTH_TOKEN_PROFILE=relaxed  OAUTH_CLIENT_ID_CLAIM=cid",
    "OAUTH_ISSUER=https://sso.acme.example/realms/acme  OAUTH_TOKEN_PROFILE=relaxed  OAUTH_CLIENT_ID_CLAIM=azp  OAUTH_SESSION_CLAIM=sid",
    "OAUTH_ISSUER=https://acme.eu.auth0.com/",
  ],
};

const notRun = Object.values(NOT_RUN).flat();
const lines = (wanted: (document: string, section: string) => boolean): string[] =>
  all.filter(({ document, section }) => wanted(document, section)).map(({ line }) => line);
const INSTALLING = ["On PostgreSQL", "On the embedded store"];
const isNew = (line: string, at: number, of: readonly string[]): boolean =>
  !notRun.includes(line) && of.indexOf(line) === at;

/** What the operator types, in this order, on one installation; `looks` is on another one, where workspaces of the same names are made. */
export const STORY = {
  installs: INSTALLING.flatMap((wanted) =>
    lines((document, section) => document === "docs/operate.md" && section === wanted),
  ).filter(isNew),
  operates: [
    ...lines((document) => document === "docs/first-days.md"),
    ...lines((document) => !/^(README|docs\/(first-days|operate))\.md$/.test(document)),
    ...lines((document, section) => document === "docs/operate.md" && !INSTALLING.includes(section)),
  ].filter(isNew),
  looks: ["Two commands", "Operate", ""]
    .flatMap((wanted) => lines((document, section) => document === "README.md" && section.startsWith(wanted)))
    .filter(isNew),
};
