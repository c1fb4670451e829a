for (const text of navigator.clipboard === undefined ? [] : document.querySelectorAll("[data-copy]")) {
  const button = document.createElement("button");
  const says = document.createElement("span");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy ${text.dataset.copy}`);
  says.className = "unseen";
  says.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    const done = await navigator.clipboard.writeText(text.href ?? text.textContent.trim()).then(
      () => true,
      () => false,
    );
    button.textContent = done ? "Copied" : "Not copied";
    says.textContent = done ? "Copied" : "Not copied: select the text, and copy it yourself";
    setTimeout(() => {
      button.textContent = "Copy";
      says.textContent = "";
    }, 2000);
  });
  text.after(button, says);
}
