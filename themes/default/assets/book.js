// Comforts for readers. Every page can be read, and every address reached, without this file.
"use strict";

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// Theme: light, dark, or the system's.
const themes = document.querySelector("#theme");
if (themes) {
  themes.value = document.documentElement.dataset.theme ?? "";
  themes.closest("[hidden]").hidden = false;
  themes.addEventListener("change", () => {
    const theme = themes.value;
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    try {
      if (theme) localStorage.setItem("theme", theme);
      else localStorage.removeItem("theme");
    } catch { /* Then it holds for this page alone. */ }
  });
}

// Search: what searches is loaded when a reader goes to the field. `/` and Ctrl-K lead there.
const search = document.querySelector(".search");
if (search) {
  const field = search.querySelector("[role=combobox]");
  const slash = search.querySelector("[type=checkbox]");
  let loading;
  field.addEventListener("focus", () => {
    loading ??= import("./search.js").then((it) => it.attach(search), () => {
      loading = undefined;
      search.querySelector(".search-said").textContent = search.dataset.failed;
    });
  });
  try { slash.checked = localStorage.getItem("slash") !== "off"; } catch { /* It is on. */ }
  slash.addEventListener("change", () => {
    try { localStorage.setItem("slash", slash.checked ? "on" : "off"); } catch { /* For this page. */ }
  });
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    const writes = target.closest?.("input, select, textarea, [contenteditable]");
    const called = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      ? key.toLowerCase() === "k" : key === "/" && slash.checked && !event.altKey;
    if (!called || event.defaultPrevented || (writes && target !== field)) return;
    if (target === field && key === "/") return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  if (document.activeElement === field) field.dispatchEvent(new Event("focus"));
}

// Copy a formula's TeX from the text that is on the page anyway.
if (navigator.clipboard) {
  for (const button of all(".copy-tex")) {
    const source = button.closest(".card").querySelector(".tex code");
    const words = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = button.dataset.copied;
      setTimeout(() => { button.textContent = words; }, 1600);
    });
  }
}

// A region that shows all it has needs no tab stop.
const stops = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth + 1) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const region of all(".scroll, pre.code")) stops.observe(region);

// Filter of the formula index.
const filter = document.querySelector("#filter");
if (filter) {
  filter.closest("[hidden]").hidden = false;
  const count = document.querySelector("#filter-count");
  const entries = all("[data-words]");
  const groups = all(".filtered");
  const cards = entries.filter((it) => it.matches(".card"));
  const show = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const entry of entries) {
      entry.hidden = !words.every((word) => entry.dataset.words.includes(word));
    }
    for (const group of groups) group.hidden = all("[data-words]:not([hidden])", group).length === 0;
    count.value = cards.filter((it) => !it.hidden).length;
  };
  filter.addEventListener("input", show);
  show();
}

// Mark the section that is being read.
const marks = new Map(all(".page-contents a").map((it) => [decodeURIComponent(it.hash.slice(1)), it]));
if (marks.size > 0) {
  const headings = [...marks.keys()].map((it) => document.getElementById(it)).filter(Boolean);
  const mark = () => {
    const read = headings.filter((it) => it.getBoundingClientRect().top < 160).pop();
    for (const [id, link] of marks) {
      if (id === read?.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  new IntersectionObserver(mark, { rootMargin: "-150px 0px 0px 0px" }).observe(document.body);
  document.addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true });
  mark();
}

// Show the current chapter in the contents.
const sidebar = document.querySelector(".sidebar");
const current = sidebar?.querySelector("[aria-current]");
const reveal = () => {
  if (current) sidebar.scrollTop = current.offsetTop - sidebar.clientHeight / 3;
};
sidebar?.addEventListener("toggle", reveal);
reveal();

// A link into a folded part opens it.
const unfold = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let it = target; it; it = it.parentElement) if (it.tagName === "DETAILS") it.open = true;
};
addEventListener("hashchange", unfold);
unfold();
