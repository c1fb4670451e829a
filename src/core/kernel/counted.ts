/** A number of things in words: "1 link", "1,200 links". */
export function counted(number: number, one: string, several = `${one}s`) {
  return `${number.toLocaleString("en-US")} ${number === 1 ? one : several}`;
}
