for (const form of document.forms) {
  let isSent = false;
  form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault();
    else setTimeout(() => (isSent = false), 5000);
    isSent = true;
  });
}
