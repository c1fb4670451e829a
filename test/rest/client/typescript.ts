/** The compiler's JavaScript API, which TypeScript 7 does not have and the generator of the client needs. */
export { ts as default } from "@ts-morph/common";
