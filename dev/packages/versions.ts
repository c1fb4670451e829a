/** A version of Semantic Versioning, without its build. */
const VERSION = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/;

/** Negative where `one` comes before `other` (semver.org §11), zero where they are the same. Throws where one is no version. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => {
    const [, major, minor, patch, early] = VERSION.exec(version) ?? [];
    if (patch === undefined) throw new Error(`"${version}" is not a version`);
    return { numbers: [major, minor, patch], early: early?.split(".") ?? [] };
  });
  for (const [at, number] of (a?.numbers ?? []).entries()) {
    const difference = BigInt(number ?? 0) - BigInt(b?.numbers[at] ?? 0);
    if (difference !== 0n) return difference < 0n ? -1 : 1;
  }
  const [early, later] = [a?.early ?? [], b?.early ?? []];
  if (early.length === 0 || later.length === 0) return Math.sign(later.length - early.length);
  for (const [at, word] of early.entries()) {
    const difference = compareWords(word, later[at]);
    if (difference !== 0) return difference;
  }
  return Math.sign(early.length - later.length);
}

/** Compares parts of a pre-release: numbers come before words. */
function compareWords(one: string, other: string | undefined): number {
  if (other === undefined) return 1;
  const [a, b] = [one, other].map((word) => /^\d+$/.test(word));
  if (a !== b) return a ? -1 : 1;
  if (a) return Number(BigInt(one) - BigInt(other));
  return one === other ? 0 : one < other ? -1 : 1;
}
