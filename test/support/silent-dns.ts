/** Preloaded into a process (`node --import`), it has every look-up of a name ask the server `SILENT_DNS`, where nobody answers. */
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";

const server = process.env.SILENT_DNS ?? "";
dns.promises.Resolver = class extends dns.promises.Resolver {
  constructor(options?: dns.ResolverOptions) {
    super(options);
    this.setServers([server]);
  }
};
syncBuiltinESMExports();
