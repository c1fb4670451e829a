(() => {
  const follow = async () => {
    const part = document.querySelector("[data-live]");
    if (part === null) return;
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (answer.ok && !answer.redirected) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const now = page.getElementById(part.id);
        if (now !== null) {
          if (!now.hasAttribute("data-live")) {
            part.removeAttribute("data-live");
            part.setAttribute("role", "status");
          }
          part.replaceChildren(...now.childNodes);
        }
      }
    } catch {
      // The next turn tries again.
    }
    setTimeout(follow, 2000);
  };
  setTimeout(follow, 2000);
})();
