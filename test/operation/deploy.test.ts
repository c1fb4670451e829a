import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { NODE_SETTINGS } from "../../cluster/citus.ts";
import { type Node, patroniSettings } from "../../cluster/ha-settings.ts";
import { startScript } from "../support/start-script.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const HAPROXY = "/usr/sbin/haproxy";

const Service = z.looseObject({
  image: z.string().optional(),
  build: z
    .object({ context: z.string(), dockerfile: z.string().optional(), args: z.record(z.string(), z.string()) })
    .optional(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  privileged: z.never().optional(),
  cap_add: z.never().optional(),
  network_mode: z.never().optional(),
  environment: z.record(z.string(), z.string()).optional(),
  command: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  restart: z.string(),
  healthcheck: z.union([z.object({ disable: z.literal(true) }), z.looseObject({ test: z.array(z.string()).min(2) })]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
});
const Compose = z.looseObject({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.null()) });

const composed = (name: string) => Compose.parse(parse(read(`deploy/${name}`), { merge: true }));

/** What a shell would have to be told, and says so where it was not. */
const ASKED = /^\$\{[A-Z_]+:\?[^}]+\}$/;

describe("deploy/receivables.service", () => {
  const unit = read("deploy/receivables.service");

  it("starts what `npm start` starts, with its flags and settings [contract.operation.deploy]", () => {
    const { environment, flags } = startScript();
    expect(unit).toContain(`ExecStart=/usr/bin/env node ${flags.join(" ")} src/main.ts\n`);
    for (const [name, value] of Object.entries(environment).filter(([one]) => one.startsWith("MALLOC_")))
      expect(unit).toMatch(new RegExp(`^Environment=.*\\b${name}=${value}\\b`, "m"));
  });

  it.skipIf(!existsSync("/usr/bin/systemd-analyze"))(
    "is a unit to systemd, and holds no secret [contract.operation.deploy]",
    () => {
      const run = spawnSync("systemd-analyze", ["verify", join(ROOT, "deploy/receivables.service")], {
        encoding: "utf8",
      });
      expect(run.stderr.split("\n").filter((line) => line.includes("receivables.service"))).toEqual([]);
      expect(unit).not.toMatch(/^(?!#).*(PASSWORD|_KEY|DATABASE_URL)=/m);
    },
  );
});

describe.each(["compose-ha.yaml", "compose-citus.yaml"])("deploy/%s", (name) => {
  const { services, volumes } = composed(name);
  const all = Object.entries(services);

  it("gives no container more rights than needed [contract.operation.deploy]", () => {
    for (const [service, { read_only: readOnly, cap_drop: dropped, security_opt: options, user }] of all)
      expect({ service, readOnly, dropped, options, user }).toEqual({
        ...{ service, readOnly: true, dropped: ["ALL"], options: ["no-new-privileges:true"] },
        user: expect.stringMatching(/^(node|postgres)$/),
      });
  });

  it("pins every image by a digest that it asks for [contract.operation.deploy]", () => {
    for (const [service, { image, build }] of all) {
      const bases = image === undefined ? Object.values(build?.args ?? {}) : [image];
      expect(bases, service).toEqual([expect.stringMatching(/^\$\{[A-Z_]+:\?[^}]*@sha256:[^}]*\}$/)]);
      if (build === undefined) continue;
      const [argument = ""] = Object.keys(build.args);
      const file = read(join("deploy", build.context, build.dockerfile ?? "Dockerfile"));
      const sources = [...file.matchAll(/^FROM (\S+)/gm)].map(([, source]) => source);
      expect(file).toMatch(new RegExp(`^ARG ${argument}=`, "m"));
      expect(new Set(sources)).toEqual(new Set([`\${${argument}}`]));
    }
  });

  it("runs two processes of the service, and knows of every container whether it is well [contract.operation.deploy]", () => {
    const own = all.filter(([service]) => service.startsWith("receivables-"));
    expect(own.map(([, { build }]) => build?.context)).toEqual(["..", ".."]);
    for (const [service, { healthcheck, restart }] of all) {
      const isJob = "disable" in healthcheck;
      // What ends by itself is waited for by its end.
      const waits = all.flatMap(([, other]) => other.depends_on?.[service]?.condition ?? []);
      if (isJob) expect(new Set(waits), service).toEqual(new Set(["service_completed_successfully"]));
      else expect(waits.filter((condition) => condition !== "service_healthy")).toEqual([]);
      expect(restart, service).toBe(isJob ? "no" : "unless-stopped");
    }
  });

  it("holds no secret, is reached from this machine only, and keeps what it writes in volumes [contract.operation.deploy]", () => {
    for (const [service, { environment = {}, ports = [], volumes: mounts = [] }] of all) {
      for (const [key, value] of Object.entries(environment)) {
        if (/PASSWORD|KEY$/.test(key)) expect(value, `${service} ${key}`).toMatch(ASKED);
        if (key === "DATABASE_URL")
          expect(value).toMatch(/^postgres:\/\/receivables:\$\{(POSTGRES|RECEIVABLES)_PASSWORD:\?[^}]+\}@/);
      }
      for (const port of ports) expect(port, service).toMatch(/^127\.0\.0\.1:/);
      for (const mount of mounts) {
        const [from = ""] = mount.split(":");
        // PostgreSQL's image runs a script only where it may be.
        if (from.startsWith("./")) expect(statSync(join(ROOT, "deploy", from)).mode & 0o111, from).toBe(0o111);
        else expect(Object.keys(volumes), service).toContain(from);
      }
    }
  });
});

describe("the other programs of the deployments", () => {
  it.each(["create-user.sh", "compose-ha.yaml"])(
    "make the user that the documentation makes, who is no superuser: %s [contract.operation.deploy]",
    (name) => {
      const made = (text: string): string[] =>
        [...text.matchAll(/create (?:role|database) receivables [^;"\n]+/g)].map(([one]) => one.replace(/'.*'/, "'…'"));
      const documented = made(read("docs/operate.md")).slice(0, 2);
      expect(documented).toEqual([expect.stringContaining("createrole"), expect.stringContaining("owner receivables")]);
      expect(made(read(`deploy/${name}`))).toEqual(documented);
    },
  );

  const Patroni = z.looseObject({
    etcd: z.object({ host: z.string() }),
    bootstrap: z.looseObject({
      dcs: z.looseObject({ postgresql: z.looseObject({ parameters: z.record(z.string(), z.unknown()) }) }),
    }),
  });

  it("has the settings that are measured: Patroni's times, synchronous replication, the rest but for what is of this machine [contract.operation.deploy]", () => {
    const deployed = Patroni.parse(parse(read("deploy/patroni.yaml")));
    const { dcs } = deployed.bootstrap;
    expect(dcs).toMatchObject({ ttl: 20, synchronous_mode: true, failsafe_mode: true });
    // Only an etcd that was told to has the older API.
    expect(composed("compose-ha.yaml").services.etcd?.command).toContain("--enable-v2=true");
    const node: Node = { name: "a", port: 1, restPort: 2, data: "/data" };
    const measured = Patroni.parse(JSON.parse(patroniSettings({ node, etcdPort: 3, bin: "/bin", root: "/root" })));
    const parameters = { ...dcs.postgresql.parameters, max_connections: 300, fsync: "off" };
    expect(measured.bootstrap.dcs).toEqual({ ...dcs, postgresql: { ...dcs.postgresql, parameters } });
  });

  it("starts nodes of Citus with the settings that are measured, and the user that the documentation makes [contract.operation.deploy]", () => {
    const { services } = composed("compose-citus.yaml");
    for (const name of ["coordinator", "worker-1", "worker-2"]) {
      expect(services[name]?.volumes, name).toEqual(
        expect.arrayContaining([
          expect.stringContaining("./create-user.sh:"),
          expect.stringContaining("./join-nodes.sh:"),
        ]),
      );
      expect(services[name]?.command, name).toEqual(
        expect.arrayContaining(["postgres", ...NODE_SETTINGS.map((setting) => `-c${setting}`)]),
      );
    }
  });

  it.skipIf(!existsSync(HAPROXY))("is found by an HAProxy that takes its file [contract.operation.deploy]", () => {
    const { stderr, status } = spawnSync(HAPROXY, ["-c", "-f", join(ROOT, "deploy/haproxy.cfg")], { encoding: "utf8" });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const { services } = composed("compose-ha.yaml");
    const servers = [...read("deploy/haproxy.cfg").matchAll(/^ {2}server \S+ ([^:]+):/gm)].map(([, host]) => host);
    expect(servers).toHaveLength(4);
    for (const host of servers) expect(Object.keys(services)).toContain(host);
  });
});
