// What tables and lists are made of, from one place.
export * from "./columns.ts";
export * from "./download.ts";
export * from "./figures.ts";
export * from "./filters.ts";
export * from "./list-pages.ts";
export * from "./table.ts";
