/** Numbers that look random and are the same for the same seed, on every machine. */
export interface Random {
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
  /** True with that probability. */
  chance(percent: number): boolean;
}

/** A small generator (mulberry32) in integer arithmetic. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const between = (least: number, most: number): number => least + (next() % (most - least + 1));
  return {
    between,
    pick: (values) => values[between(0, values.length - 1)] ?? values[0],
    chance: (percent) => between(1, 100) <= percent,
  };
}
