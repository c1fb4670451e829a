const MOST_FOUND = 15;
const contents = document.querySelector("#contents");
const entries = document.querySelector("#entries");
const found = document.querySelector("#found");
const field = document.querySelector("#search");
let index;

const rank = ({ title, text }, words) => {
  const [name, all] = [title.toLowerCase(), `${title} ${text}`.toLowerCase()];
  if (!words.every((word) => all.includes(word))) return 0;
  return words.filter((word) => name.includes(word)).length + 1;
};

const shown = ({ href, title, group, places = [] }, words) => {
  const [item, link, place] = ["li", "a", "small"].map((tag) => document.createElement(tag));
  // Where one word is the name of a parameter or field, it leads there.
  link.href = href + (places.find((one) => words.length === 1 && one.toLowerCase().endsWith(`.${words[0]}`)) ?? "");
  place.textContent = group;
  link.append(title, place);
  item.append(link);
  return item;
};

field.addEventListener("input", async () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  index ??= fetch("/docs/search.json").then((answer) => answer.json());
  const ranked = (await index).map((one) => [rank(one, words), one]).filter(([points]) => points > 0);
  const best = ranked.sort(([a], [b]) => b - a).slice(0, MOST_FOUND);
  const list = document.createElement("ul");
  list.append(...best.map(([, one]) => shown(one, words)));
  entries.hidden = words.length > 0;
  found.replaceChildren(...(words.length === 0 ? [] : best.length === 0 ? ["Nothing found."] : [list]));
});
/** From the field and its hits: Enter opens the first, arrows move. */
contents.addEventListener("keydown", (event) => {
  const hits = [...found.querySelectorAll("a")];
  const at = hits.indexOf(document.activeElement);
  if (hits.length === 0 || (at === -1 && document.activeElement !== field)) return;
  if (event.key === "Enter" && at === -1) hits[0].click();
  else if (event.key === "ArrowDown") hits[Math.min(at + 1, hits.length - 1)].focus();
  else if (event.key === "ArrowUp") (hits[at - 1] ?? field).focus();
  else return;
  event.preventDefault();
});
field.closest("[hidden]").hidden = false;

/** Of the reference the contents mark what is at the top of the window. */
const marked = new IntersectionObserver(
  (seen) => {
    const { target } = seen.find(({ isIntersecting }) => isIntersecting) ?? {};
    if (target === undefined) return;
    entries.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const link = entries.querySelector(`a[href="/docs#${target.id}"]`);
    link?.setAttribute("aria-current", "true");
    link?.scrollIntoView({ block: "nearest" });
  },
  { rootMargin: "-10% 0px -85%" },
);
for (const operation of document.querySelectorAll(".operation")) marked.observe(operation);

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input")) return;
  event.preventDefault();
  if (getComputedStyle(contents).display === "none") contents.showPopover();
  field.focus();
});
contents.addEventListener("click", ({ target }) => {
  if (target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
});
