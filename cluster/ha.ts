import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";
import { type PostgresPrograms, postgresPrograms } from "../test/support/postgres.ts";
import { freePort } from "../test/support/server.ts";
import { haproxySettings, type Node, patroniSettings } from "./ha-settings.ts";
import { ask, Machine } from "./machine.ts";
import { missing, type Running, startProgram } from "./programs.ts";

/** How the service reaches the primary: it is told of both servers, or of HAProxy, which asks Patroni. */
export type Way = "hosts" | "haproxy";

interface Ports {
  readonly etcd: number;
  readonly etcdPeers: number;
  readonly proxy: number;
}

const PROGRAMS = ["patroni", "patronictl", "etcd", "haproxy"];
const PATIENCE_MS = 120_000;
const LOOK_MS = 100;

const Members = z.looseObject({
  members: z.array(z.looseObject({ name: z.string(), role: z.string(), state: z.string() })),
});

/** What keeps this machine from having such a cluster; null where nothing does. */
export function haMissing(): string | null {
  const without = missing(PROGRAMS);
  return without.length === 0 ? null : `no ${without.join(", ")} here`;
}

/** Starts it, see {@link HaCluster}; null where a program is missing, which {@link haMissing} names. */
export async function startHa(): Promise<HaCluster | null> {
  const programs = haMissing() === null ? postgresPrograms() : null;
  if (programs === null) return null;
  const cluster = await HaCluster.prepare(programs);
  try {
    await cluster.begin();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** Two PostgreSQL under Patroni on loopback, an etcd of one node and HAProxy before them, ended by the process that started them. */
export class HaCluster {
  readonly #programs: PostgresPrograms;
  readonly #machines: readonly [Machine, Machine];
  readonly #ports: Ports;
  #etcd: Running | undefined;
  #proxy: Running | undefined;

  private constructor(programs: PostgresPrograms, machines: readonly [Machine, Machine], ports: Ports) {
    this.#programs = programs;
    this.#machines = machines;
    this.#ports = ports;
    // A process that is stopped early leaves no program behind.
    process.once("exit", this.#orphanNone);
  }

  static async prepare(programs: PostgresPrograms): Promise<HaCluster> {
    const { root, bin } = programs;
    const ports = { etcd: await freePort(), etcdPeers: await freePort(), proxy: await freePort() };
    const machine = async (name: string): Promise<Machine> => {
      const node: Node = { name, port: await freePort(), restPort: await freePort(), data: join(root, name) };
      const made = new Machine(programs, node);
      const settings = patroniSettings({ node, etcdPort: ports.etcd, bin, root });
      writeFileSync(made.file, settings);
      return made;
    };
    const machines = [await machine("a"), await machine("b")] as const;
    const nodes = machines.map(({ node }) => node);
    writeFileSync(join(root, "haproxy.cfg"), haproxySettings(ports.proxy, nodes));
    return new HaCluster(programs, machines, ports);
  }

  async begin(): Promise<void> {
    await this.#startEtcd();
    this.at(0).start();
    await this.until(() => this.at(0).isPrimary(), "there is no primary");
    this.at(1).start();
    this.#proxy = startProgram(this.#programs, "haproxy", "haproxy", ["-f", join(this.#programs.root, "haproxy.cfg")]);
    await this.whole();
  }

  /** Where all of it keeps its data. */
  get folder(): string {
    return this.#programs.root;
  }

  /** What runs where, a line each. */
  get parts(): readonly string[] {
    const { etcd, proxy } = this.#ports;
    return [
      `etcd on 127.0.0.1:${etcd}`,
      ...this.#machines.map(
        ({ node: { name, port, restPort } }) =>
          `PostgreSQL ${name} on 127.0.0.1:${port}, its Patroni on 127.0.0.1:${restPort}`,
      ),
      `HAProxy on 127.0.0.1:${proxy}`,
    ];
  }

  /** URL of a database on the primary, whichever that is. */
  urlOf(database: string, way: Way = "hosts"): string {
    if (way === "haproxy") return `postgresql://postgres@127.0.0.1:${this.#ports.proxy}/${database}`;
    const hosts = this.#machines.map(({ node }) => `127.0.0.1:${node.port}`).join(",");
    return `postgresql://postgres@${hosts}/${database}?target_session_attrs=read-write`;
  }

  /** The same of one server, primary or standby. */
  urlAt(place: number, database: string): string {
    return `postgresql://postgres@127.0.0.1:${this.at(place).node.port}/${database}`;
  }

  async createDatabase(name: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.urlOf("postgres", "haproxy") });
    await client.connect();
    try {
      await client.query(`create database ${name}`);
    } finally {
      await client.end();
    }
  }

  /** One of the two, 0 or 1. */
  at(place: number): Machine {
    return this.#machines[place === 0 ? 0 : 1];
  }

  /** Which of the two is the primary by Patroni's word; null while neither is, or one that stood still has not noticed yet. */
  async primary(): Promise<number | null> {
    const told = await Promise.all(this.#machines.map((machine) => machine.isPrimary()));
    return told[0] === told[1] ? null : told.indexOf(true);
  }

  /** Resolves once there is a primary, and a standby that follows it. */
  whole(): Promise<void> {
    return this.until(async () => {
      const place = await this.primary();
      if (place === null) return false;
      const answer = await ask(this.at(place).node.restPort, "cluster");
      const { members } = Members.parse(JSON.parse(answer?.text ?? '{"members":[]}'));
      return members.some(({ role, state }) => role === "sync_standby" && /^(running|streaming)$/.test(state));
    }, "the standby does not follow");
  }

  /** `patronictl switchover` to the standby. */
  async switchOver(): Promise<void> {
    const place = await this.primary();
    if (place === null) throw new Error("there is no primary to switch over from");
    const [from, to] = [this.at(place), this.at(1 - place)];
    const ctl = startProgram(this.#programs, "switchover", "patronictl", [
      ...["-c", from.file, "switchover", "--master", from.node.name, "--candidate", to.node.name, "--force"],
    ]);
    await this.until(() => to.isPrimary(), `no switchover: ${ctl.log()}`);
    await ctl.end();
  }

  async #startEtcd(): Promise<void> {
    const { etcd, etcdPeers } = this.#ports;
    const [clients, peers] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${etcdPeers}`];
    const data = join(this.#programs.root, "etcd");
    this.#etcd = startProgram(this.#programs, "etcd", "etcd", [
      ...["--enable-v2", "--data-dir", data, "--listen-client-urls", clients, "--advertise-client-urls", clients],
      ...["--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", `default=${peers}`],
    ]);
    await this.until(async () => (await ask(etcd, "health"))?.ok === true, "etcd does not answer");
  }

  /** Looks until it is so. Throws what is wrong, after a while. */
  async until(isSo: () => Promise<boolean>, wrong: string): Promise<void> {
    const latest = performance.now() + PATIENCE_MS;
    while (!(await isSo())) {
      if (performance.now() > latest)
        throw new Error([wrong, ...this.#machines.map(({ lastWords }) => lastWords)].join("\n\n"));
      await sleep(LOOK_MS);
    }
  }

  async stop(): Promise<void> {
    process.off("exit", this.#orphanNone);
    const machines = this.#machines.map((machine) => machine.kill());
    await Promise.all([...machines, this.#etcd?.end(), this.#proxy?.end()]);
    rmSync(this.#programs.root, { recursive: true, force: true, maxRetries: 5 });
  }

  readonly #orphanNone = (): void => {
    for (const machine of this.#machines) machine.orphanNone();
    for (const running of [this.#etcd, this.#proxy]) running?.signal("SIGKILL");
    rmSync(this.#programs.root, { recursive: true, force: true });
  };
}
