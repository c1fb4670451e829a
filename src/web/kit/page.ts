// What pages are made of, from one place.
export * from "./address.ts";
export * from "./assets.ts";
export * from "./doors.ts";
export * from "./form.ts";
export * from "./html.ts";
export * from "./navigation.ts";
export * from "./once.ts";
export * from "./parts.ts";
export * from "./received.ts";
export * from "./refusal.ts";
export * from "./routes.ts";
export * from "./visit.ts";
export * from "./words.ts";
