import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

/** What is deployed: only places, passwords and how much the disk is trusted are others here. */
const Deployed = z.looseObject({
  etcd: z.object({ host: z.string() }),
  bootstrap: z.looseObject({
    dcs: z.looseObject({
      ttl: z.int(),
      loop_wait: z.int(),
      postgresql: z.looseObject({ parameters: z.record(z.string(), z.union([z.string(), z.int()])) }),
    }),
    initdb: z.array(z.unknown()),
  }),
  postgresql: z.looseObject({ basebackup: z.array(z.unknown()) }),
});

const deployed = Deployed.parse(parse(readFileSync(new URL("../deploy/patroni.yaml", import.meta.url), "utf8")));
const { bootstrap, postgresql } = deployed;

/** Seconds: how long a primary that is not heard of stays the primary, and how often each node looks. */
export const { ttl: TTL, loop_wait: LOOP_WAIT } = bootstrap.dcs;

/** One of the two servers: its name, and where PostgreSQL and Patroni listen. */
export interface Node {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly data: string;
}

interface PatroniSettings {
  readonly node: Node;
  readonly etcdPort: number;
  readonly bin: string;
  readonly root: string;
}

/** Patroni's file of a node; YAML takes JSON. */
export function patroniSettings({ node, etcdPort, bin, root }: PatroniSettings): string {
  const { name, port, restPort, data } = node;
  const place = `127.0.0.1:${port}`;
  const { dcs } = bootstrap;
  const parameters = { ...dcs.postgresql.parameters, max_connections: 300, fsync: "off" };
  return JSON.stringify({
    ...deployed,
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      ...bootstrap,
      dcs: {
        ...dcs,
        postgresql: { ...dcs.postgresql, parameters },
      },
      initdb: [...bootstrap.initdb, { auth: "trust" }, "no-sync"],
    },
    postgresql: {
      ...postgresql,
      listen: place,
      connect_address: place,
      data_dir: data,
      bin_dir: bin,
      pgpass: `${root}/pgpass-${name}`,
      parameters: { unix_socket_directories: root },
      pg_hba: ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
      authentication: { superuser: { username: "postgres" }, replication: { username: "replicator" } },
      basebackup: [...postgresql.basebackup, "no-sync"],
    },
  });
}

/** HAProxy's file: connections go to the node whose Patroni says that it is the primary, and are cut when it no longer does. */
export function haproxySettings(port: number, nodes: readonly Node[]): string {
  const servers = nodes.map(
    (node) =>
      `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort} on-marked-down shutdown-sessions`,
  );
  return [
    "defaults",
    "  mode tcp",
    "  timeout connect 3s",
    "  timeout client 1h",
    "  timeout server 1h",
    "  timeout check 2s",
    "listen primary",
    `  bind 127.0.0.1:${port}`,
    "  option httpchk OPTIONS /primary",
    "  http-check expect status 200",
    "  default-server inter 1s fall 2 rise 1",
    ...servers,
    "",
  ].join("\n");
}
