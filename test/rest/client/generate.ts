import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== "typescript" || !(context.parentURL ?? "").includes("/openapi-typescript/"))
      return next(specifier, context);
    // The compiler's JavaScript API, which TypeScript 7 does not have.
    return next(new URL("./typescript.ts", import.meta.url).href, context);
  },
});

/** The types of a client of the API, as openapi-typescript writes them from its description. */
export async function generateClientTypes(document: string): Promise<string> {
  const { astToString, default: generate } = await import("openapi-typescript");
  return astToString(await generate(document));
}
