document.addEventListener("keydown", (event) => {
  const box = document.getElementById("find");
  const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea") !== null;
  if (box === null || event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  event.preventDefault();
  box.select();
});

let sent = new WeakSet();
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  if (sent.has(form)) event.preventDefault();
  sent.add(form);
  setTimeout(() => sent.delete(form), 5000);
});
addEventListener("pageshow", () => {
  sent = new WeakSet();
});
