import { Router } from "express";

interface Proofs {
  /** For the MCP registry, which publishes under names of the host. */
  registryProof: string | null;
  /** For OpenAI's directory. */
  openAiChallenge: string | null;
}

/** Texts by which a registry or directory knows that the publisher runs this host; those not configured are missing. */
export function hostProofs({ registryProof, openAiChallenge }: Proofs) {
  const router = Router();
  const proofs = { "mcp-registry-auth": registryProof, "openai-apps-challenge": openAiChallenge };
  for (const [name, proof] of Object.entries(proofs)) {
    if (proof === null) continue;
    router.get(`/.well-known/${name}`, (_request, response) => {
      // A changed key has to be seen at once: the registry reads it at every login.
      response.setHeader("Cache-Control", "no-store");
      response.type("text/plain; charset=utf-8").send(proof);
    });
  }
  return router;
}
