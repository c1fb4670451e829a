import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";

/** The folder of the views' sources. */
const SOURCES = join(import.meta.dirname, "../../views");
const IMPORT = /^import\s*\{([^}]*)\}\s*from\s"([^"]+)";$/gm;
const EXPORT = /^export (?=(?:async )?(?:function|const|class) (\w+))/gm;

/** The scripts that `path` imports, directly or not, each after its own imports; `path` is the last. */
function withImports(path: string, found = new Map<string, string>()) {
  if (found.has(path)) return found;
  const script = stripTypeScriptTypes(readFileSync(path, "utf8"));
  for (const [, , specifier = ""] of script.matchAll(IMPORT)) withImports(join(dirname(path), specifier), found);
  return found.set(path, script);
}

/** Joins modules into one script, each in its own scope, because a page under a strict policy cannot load modules. */
function joined(modules: ReadonlyMap<string, string>) {
  const names = new Map([...modules.keys()].map((path, index) => [path, `m${index}`]));
  const scripts = [...modules].map(([path, script]) => {
    const exported = [...script.matchAll(EXPORT)].map(([, name]) => name);
    const inner = script
      .replace(
        IMPORT,
        (_, imported, specifier) => `const {${imported}} = ${names.get(join(dirname(path), specifier))};`,
      )
      .replace(EXPORT, "");
    return `const ${names.get(path)} = (() => {\n${inner}\nreturn { ${exported.join(", ")} };\n})();`;
  });
  return scripts.map(compact).join("\n");
}

/** Removes comments and the blanks that type stripping leaves; strings contain neither. */
function compact(script: string) {
  return script
    .replace(/^[ \t]*(\/\*\*[\s\S]*?\*\/|\/\/.*)$/gm, "")
    .replace(/^[ \t]+|[ \t]+$/gm, "")
    .replace(/ {2,}/g, " ")
    .replace(/\n{2,}/g, "\n");
}

const names = process.argv.slice(2);
const style = compact(readFileSync(join(SOURCES, "style.css"), "utf8"));
const scripts = names.map((name) => [name, joined(withImports(join(SOURCES, `${name}.ts`)))]);
process.stdout.write(JSON.stringify({ style, scripts: Object.fromEntries(scripts) }));
