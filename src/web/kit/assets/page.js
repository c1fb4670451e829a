document.addEventListener("keydown", (event) => {
  const box = document.getElementById("find");
  const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea") !== null;
  if (box === null || event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  event.preventDefault();
  box.select();
});

// The second click of a double click does nothing, also on what the next page has at its place.
const kept = (() => {
  try {
    return sessionStorage;
  } catch {
    return {};
  }
})();
document.addEventListener(
  "click",
  (event) => {
    if (event.detail === 0) return;
    const [at, x, y] = (kept.clicked ?? "0 0 0").split(" ").map(Number);
    const { clientX, clientY, pointerType } = event;
    const near = pointerType === "touch" ? 40 : 16;
    const gap = Date.now() - at;
    const isSecond = gap >= 0 && gap < 500 && Math.hypot(clientX - x, clientY - y) < near;
    const isAct = event.target.closest('form[method="post"] button') !== null;
    // Who goes on clicking a link at one place is not kept from it.
    if (!isSecond || isAct) kept.clicked = `${Date.now()} ${clientX} ${clientY}`;
    if (isSecond && (isAct || event.target.closest("a, button") !== null)) event.preventDefault();
  },
  true,
);

// A form that was sent is not sent again while its answer is on the way; where an app is to open, the page may stay.
const patienceMs = location.pathname.startsWith("/oauth/") ? 5000 : 60_000;
let sent = new WeakSet();
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  if (sent.has(form)) event.preventDefault();
  sent.add(form);
  setTimeout(() => sent.delete(form), patienceMs);
});
addEventListener("pageshow", () => {
  sent = new WeakSet();
});
