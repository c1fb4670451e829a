// What pages are made of beside their markup, from one place.
export * from "./address.ts";
export * from "./closed.ts";
export * from "./doors.ts";
export * from "./form.ts";
export * from "./navigation.ts";
export * from "./once.ts";
export * from "./received.ts";
export * from "./routes.ts";
export * from "./visit.ts";
