import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");

/** The floors, from the roof down (ARCHITECTURE.md): an import goes to a lower floor, or stays on its own. */
const FLOORS: ReadonlyArray<readonly string[]> = [
  ["src/main.ts"],
  ["src/service.ts"],
  ["src/composition.ts", "src/start-warnings.ts", "src/summary.ts"],
  ["src/rest", "src/mcp", "src/web", "src/admin", "src/demo", "src/http", "src/telemetry", "well-known"],
  ["tools", "auth", "src/jobs"],
  ["src/core"],
  ["src/gateways", "src/store"],
  ["src/encryption-key.ts", "src/start-problem.ts"],
  ["src/config.ts", "src/signals.ts"],
  ["src/database-url.ts"],
];

/** Programs of their own: they stand beside the roof and may use whatever they need. */
const PROGRAMS = ["src/admin/main.ts", "src/gateways/erp/simulator/main.ts"];

/** Claims and leases, and what a job does with what it has claimed; each writes in transactions of its own. */
const JOB_STEPS = [
  "aging/advance-rollups",
  "mail/member-mails",
  "payment-links/claim-link-messages",
  "payment-links/finish-reservation",
  "payment-links/link-messages",
  "payment-links/withdraw-links",
  "payments/push-receipt",
  "payments/read-events",
  "payments/receipt-follow",
  "sync-runs/interrupt-runs",
  "sync-runs/lead-run",
  "sync-runs/prune-runs",
  "sync-runs/reserve-run",
  "workflows/examine-invoice",
  "workflows/generate-links",
  "workflows/work",
] as const;

/** Shared by every face, used by none but them. */
const SHARED_BY_FACES = ["src/http"];

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.parentPath.includes("node_modules"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(/^(?:import|export)[^"']*?from "([^"]+)"|^import "([^"]+)"|import\("([^"]+)"\)/gm)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? "",
  );
}

const within = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`);
const floorOf = (file: string): number => FLOORS.findIndex((places) => places.some((place) => within(file, place)));
const placeOf = (file: string): string => FLOORS.flat().find((place) => within(file, place)) ?? "";

const files = ["src", "auth", "tools", "well-known"].flatMap(sources);
const local = new Map(
  files.map((file) => [
    file,
    importsOf(file)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => relative(ROOT, resolve(ROOT, dirname(file), specifier)))
      .filter((target) => target.endsWith(".ts")),
  ]),
);

describe("the architecture", () => {
  it("gives every source file a floor", () => {
    expect(files.filter((file) => floorOf(file) === -1)).toEqual([]);
  });

  it("imports only downwards", () => {
    const upward: string[] = [];
    for (const [file, targets] of local) {
      if (PROGRAMS.includes(file)) continue;
      for (const target of targets) {
        const sideways = placeOf(file) === placeOf(target) || SHARED_BY_FACES.some((place) => within(target, place));
        if (floorOf(target) < floorOf(file) || (floorOf(target) === floorOf(file) && !sideways))
          upward.push(`${file} → ${target}`);
      }
    }
    expect(upward).toEqual([]);
  });

  it("imports nothing in a circle", () => {
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, path: string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
      if (done.has(file) || path.includes(file)) return;
      for (const target of local.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });

  const forbidden: ReadonlyArray<readonly [where: string, what: RegExp, why: string]> = [
    ["src/core", /^(express|@modelcontextprotocol|oidc-provider|helmet|pg$|node:http)/, "the core knows no face"],
    ["tools", /^(\.\.\/auth|\.\.\/src\/(rest|store|web))/, "tools are faces of operations alone"],
    ["src/rest", /src\/store|\.\.\/store/, "faces reach the store through the core"],
    ["src/mcp", /src\/store|\.\.\/store/, "faces reach the store through the core"],
  ];

  it.each(forbidden)("%s imports nothing like %s", (where, what) => {
    const found = files
      .filter((file) => within(file, where))
      .flatMap((file) =>
        importsOf(file)
          .filter((specifier) => what.test(specifier))
          .map((s) => `${file} → ${s}`),
      );
    expect(found).toEqual([]);
  });

  it("reads the environment in one place", () => {
    const readers = files.filter((file) => /process\.env/.test(readFileSync(join(ROOT, file), "utf8")));
    expect(readers.filter((file) => !["src/main.ts", "src/admin/main.ts"].includes(file))).toEqual([]);
  });

  it("keeps SQL in the store and in query files", () => {
    const SQL = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<[^`]*>)?`/;
    const allowed = (file: string): boolean => within(file, "src/store") || /queries\.ts$|last-synced\.ts$/.test(file);
    const strays = files.filter((file) => !allowed(file) && SQL.test(readFileSync(join(ROOT, file), "utf8")));
    expect(strays).toEqual([]);
  });

  it("writes the core's audit entries in the gate", () => {
    const gate = ["audit", "operation", "inner-operation"].map((name) => `src/core/${name}.ts`);
    // It ends what an outsideOperation reserved, maybe after its request: the entry's author is kept with the reservation.
    const ofReservations = "src/core/payment-links/settle-reservation.ts";
    const writers = files.filter(
      (file) =>
        within(file, "src") &&
        !within(file, "src/store") &&
        /\b(recordAudit|recordDone|insertAuditEntry)\(/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    // The demo tells of an approval that no person gave.
    expect(writers.sort()).toEqual([...gate, ofReservations, "src/demo/actors.ts"].sort());
  });

  it("opens no transaction that writes in a face", () => {
    const FACES = ["src/admin", "src/web", "src/rest", "src/mcp", "src/http", "tools"];
    const writers = files.filter(
      (file) =>
        FACES.some((face) => within(file, face)) &&
        /\bstore\s*\.(write|system)\(/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    // A backup is all tenants' rows, read or written as they are.
    expect(writers).toEqual(["src/admin/commands/backup.ts"]);
  });

  /** The core's files that open a transaction of their own that may write: the gate, and what runs without a caller. */
  const OWN_TRANSACTIONS = [
    ["the gate", ["mutation", "operation", "outside-operation", "idempotency", "reencrypt"]],
    ["reads of all tenants", ["workspace/workspaces", "payments/receive-notification"]],
    ["claims and what jobs do with what they claimed", JOB_STEPS],
  ] as const;

  it("opens a transaction that writes in the gate and in what runs without a caller, nowhere else", () => {
    const writers = files.filter(
      (file) => within(file, "src/core") && /\bstore\s*\.(write|system)\(/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    const allowed = OWN_TRANSACTIONS.flatMap(([, names]) => names.map((name) => `src/core/${name}.ts`));
    expect(writers.sort()).toEqual(allowed.sort());
  });

  it("lets nobody leave out who acts", () => {
    const lax = files.filter((file) => /\b(by|actor)\?:(?! never)/.test(readFileSync(join(ROOT, file), "utf8")));
    expect(lax).toEqual([]);
  });

  it("makes no path of a file's URL, in which a space is %20", () => {
    const all = [...files, ...["bench", "torture", "test", "docs"].flatMap(sources)];
    const broken = all.filter((file) => {
      const text = readFileSync(join(ROOT, file), "utf8");
      return /import\.meta\.url/.test(text) && /\.pathname/.test(text);
    });
    expect(broken).toEqual([]);
  });

  it("has no way around the compiler", () => {
    const loose = files.filter((file) =>
      /\bas any\b|: any\b|@ts-(ignore|expect-error)/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    expect(loose).toEqual([]);
  });
});
