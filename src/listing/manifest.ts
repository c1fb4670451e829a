import base from "../../server.json" with { type: "json" };
import type { Config } from "../config.ts";
import { serverName } from "./server-name.ts";

/** The product as the repository names it: in telemetry, where an installation's own name would split what is one. */
export const PRODUCT = { name: base.name, title: base.title, version: base.version };

/** The icons' paths on every installation. */
export const ICON_PATHS = { svg: "/icon.svg", png: "/icon.png" } as const;

/** What an installation's manifest is made of. */
type ListedInstallation = Pick<Config, "publicUrl" | "listing">;

/** Name, title and version of an installation, as registries and assistants see them. */
export function serverInfo({ publicUrl, listing }: ListedInstallation): typeof PRODUCT {
  return { ...PRODUCT, name: serverName({ publicUrl, configured: listing.serverName }) };
}

/** The installation's registry manifest: the repository's own, with its name and addresses. */
export function registryManifest(listed: ListedInstallation) {
  const { publicUrl } = listed;
  const mcpUrl = `${publicUrl}/mcp`;
  // The registry takes https addresses only; without one the manifest can be read, and not published.
  const isPublic = publicUrl.startsWith("https:");
  return {
    ...base,
    name: serverInfo(listed).name,
    ...(isPublic ? { websiteUrl: mcpUrl, icons: iconsAt(publicUrl) } : {}),
    remotes: [{ type: "streamable-http", url: mcpUrl }],
  };
}

function iconsAt(publicUrl: string) {
  return [
    { src: publicUrl + ICON_PATHS.svg, mimeType: "image/svg+xml", sizes: ["any"] },
    { src: publicUrl + ICON_PATHS.png, mimeType: "image/png", sizes: ["48x48"] },
  ];
}
