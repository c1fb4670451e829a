// What the markup of pages is made of, from one place.
export * from "./assets.ts";
export * from "./html.ts";
export * from "./parts.ts";
export * from "./refusal.ts";
export * from "./words.ts";
