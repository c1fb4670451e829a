import type { RequestHandler } from "express";
import type { Config } from "../src/config.ts";
import { ICON_PATHS, registryManifest } from "../src/listing/manifest.ts";
import { authorizationServerMetadata } from "./authorization-server.ts";
import { icons } from "./icons.ts";
import { llmsTxt } from "./llms-txt.ts";
import { hostProofs } from "./proofs.ts";
import { protectedResourceMetadata } from "./protected-resource.ts";
import { published } from "./published.ts";
import { securityTxt } from "./security-txt.ts";

interface Parts {
  clock: { now(): Date };
  icon: Parameters<typeof icons>[0];
}

/** Everything that a machine reads about the installation before it calls. */
export function publicDocuments(config: Config, { clock, icon }: Parts): RequestHandler[] {
  const { publicUrl: publicOrigin, externalIssuer: external, securityContact: contact, listing } = config;
  const { clientMetadataDocuments: metadataDocuments } = config;
  const policies = { publicOrigin, privacyUrl: listing.privacyUrl, termsUrl: listing.termsUrl };
  const manifest = JSON.stringify(registryManifest(config));
  return [
    protectedResourceMetadata({ ...policies, issuer: external?.issuer ?? publicOrigin }),
    ...(external === null ? [authorizationServerMetadata({ ...policies, metadataDocuments })] : []),
    published("/mcp/server.json", "json", 3_600, () => manifest),
    hostProofs(listing),
    llmsTxt(config),
    ...icons(icon, ICON_PATHS),
    ...(contact === null ? [] : [securityTxt({ contact, publicOrigin, clock })]),
  ];
}
