// Waits for the next build, then loads the page again; shows what is wrong meanwhile.
(async () => {
  let version;
  const panel = document.createElement("pre");
  panel.id = "reckoner-messages";
  panel.setAttribute("role", "status");
  panel.hidden = true;
  Object.assign(panel.style, {
    position: "fixed", inset: "auto 0 0 0", maxHeight: "50vh", overflow: "auto", margin: 0,
    padding: "1rem", background: "#2b1416", color: "#ffe9e9", zIndex: 1000,
    font: "13px/1.4 monospace", whiteSpace: "pre",
  });
  document.body.prepend(panel);
  for (;;) {
    try {
      const since = version === undefined ? "" : version;
      const news = await (await fetch(`/__reckoner/news?since=${since}`)).json();
      if (version !== undefined && news.version !== version) location.reload();
      version = news.version;
      panel.textContent = news.messages;
      panel.hidden = news.messages === "";
    } catch {
      // The server is away; it may come back.
      await new Promise((wait) => setTimeout(wait, 1000));
    }
  }
})();
