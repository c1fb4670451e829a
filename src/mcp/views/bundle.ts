import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";

/** Where the views' sources are. */
const SOURCES = join(import.meta.dirname, "../../views");
const IMPORT = /^import\s*\{([^}]*)\}\s*from\s"([^"]+)";$/gm;
const EXPORT = /^export (?=(?:async )?(?:function|const|class) (\w+))/gm;

/** The scripts of `path` and of all it imports, each after those it needs itself. */
function withImports(path: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(path)) return found;
  const script = stripTypeScriptTypes(readFileSync(path, "utf8"));
  for (const [, , specifier = ""] of script.matchAll(IMPORT)) withImports(join(dirname(path), specifier), found);
  return found.set(path, script);
}

/** One script of several modules, each in a scope of its own, for a page under a strict policy can load none. */
function joined(modules: ReadonlyMap<string, string>): string {
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

/** Without comments and the blanks that the types leave: what there is in strings has neither. */
function compact(script: string): string {
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
