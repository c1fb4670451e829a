import { type Fields, isFields, textField } from "./fields.ts";

/** Colors that belong together: a host that gives only some of them would clash with ours. */
const PALETTE = [
  "--color-background-primary",
  "--color-background-secondary",
  "--color-text-primary",
  "--color-text-secondary",
  "--color-border-primary",
];
const SIDES = ["top", "right", "bottom", "left"];

/** Takes over what the host says of itself: color scheme, colors, font, and what a phone's edges cover. */
export function takeContext(context: unknown): void {
  const { style } = document.documentElement;
  const theme = textField(context, "theme");
  if (theme === "light" || theme === "dark") style.colorScheme = theme;
  const { styles, safeAreaInsets: insets }: Fields = isFields(context) ? context : {};
  const variables = isFields(styles) ? styles.variables : undefined;
  const isWhole = PALETTE.every((name) => textField(variables, name) !== undefined);
  for (const name of isWhole ? [...PALETTE, "--font-sans"] : ["--font-sans"]) {
    const value = textField(variables, name);
    if (value !== undefined) style.setProperty(name, value);
  }
  for (const side of SIDES) {
    const inset = isFields(insets) ? insets[side] : undefined;
    if (typeof inset === "number") style.setProperty(`--inset-${side}`, `${inset}px`);
  }
}
