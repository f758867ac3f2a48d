// Sets the reader's theme, and what only scripts can do, before anything is drawn, so that nothing
// flashes.
(() => {
  document.documentElement.dataset.scripts = "";
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch { /* A browser that keeps nothing shows the system's theme. */ }
})();
