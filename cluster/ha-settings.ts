/** Seconds: how long a primary that is not heard of stays the primary, and how often each node looks. */
export const TTL = 20;
export const LOOP_WAIT = 5;

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
  readonly isSynchronous: boolean;
  readonly isFailsafe: boolean;
}

/** Patroni's file of a node; YAML takes JSON. */
export function patroniSettings({ node, etcdPort, bin, root, isSynchronous, isFailsafe }: PatroniSettings): string {
  const { name, port, restPort, data } = node;
  const place = `127.0.0.1:${port}`;
  return JSON.stringify({
    scope: "receivables",
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: TTL,
        loop_wait: LOOP_WAIT,
        retry_timeout: LOOP_WAIT,
        synchronous_mode: isSynchronous,
        failsafe_mode: isFailsafe,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 300, wal_log_hints: "on", fsync: "off", wal_keep_size: "512MB" },
        },
      },
      initdb: [{ encoding: "UTF8" }, { auth: "trust" }, "no-sync"],
    },
    postgresql: {
      listen: place,
      connect_address: place,
      data_dir: data,
      bin_dir: bin,
      pgpass: `${root}/pgpass-${name}`,
      parameters: { unix_socket_directories: root },
      pg_hba: ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
      authentication: { superuser: { username: "postgres" }, replication: { username: "replicator" } },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      create_replica_methods: ["basebackup"],
      basebackup: [{ checkpoint: "fast" }, "no-sync"],
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
