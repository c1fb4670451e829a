/** How both drivers hand values over: nothing becomes a Date or a float on its way out of the store. */
const DATE = 1082;
const TIMESTAMPTZ = 1184;
const INT8 = 20;
const NUMERIC = 1700;

const asIs = (text: string): string => text;
const instant = (text: string): string => new Date(text).toISOString();

export const PARSERS: Record<number, (text: string) => unknown> = {
  [DATE]: asIs,
  [TIMESTAMPTZ]: instant,
  [INT8]: asIs,
  [NUMERIC]: asIs,
};
