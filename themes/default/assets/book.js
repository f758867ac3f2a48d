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

// Copy a formula: its TeX, or its MathML, from what is on the page anyway.
if (navigator.clipboard) {
  for (const button of all(".copy button")) {
    const words = button.textContent;
    button.parentElement.hidden = false;
    button.addEventListener("click", async () => {
      const card = button.closest(".card");
      await navigator.clipboard.writeText(button.matches(".copy-mathml")
        ? card.querySelector(".equation math").outerHTML : card.querySelector(".tex code").textContent);
      button.textContent = button.dataset.copied;
      setTimeout(() => { button.textContent = words; }, 1600);
    });
  }
}

// A selection is copied with the TeX of its formulas, once, and without the page's own tools.
document.addEventListener("copy", (event) => {
  const outer = (node) => {
    const formula = (node.closest ? node : node.parentElement)?.closest(".katex");
    return formula?.closest(".katex-display") ?? formula;
  };
  const selection = getSelection();
  const box = document.createElement("div");
  for (let at = 0; at < selection.rangeCount && !selection.isCollapsed; at++) {
    const range = selection.getRangeAt(at).cloneRange();
    const [first, last] = [outer(range.startContainer), outer(range.endContainer)];
    if (first) range.setStartBefore(first);
    if (last) range.setEndAfter(last);
    box.append(range.cloneContents());
  }
  if (!box.querySelector(".katex")) return;
  for (const formula of all(".katex-display, :not(.katex-display) > .katex", box)) {
    const mark = formula.matches(".katex-display") ? "$$" : "$";
    const tex = formula.querySelector("annotation")?.textContent.trim() ?? "";
    formula.replaceWith(mark + tex + mark);
  }
  for (const tool of all("button, .permalink, .preview, .tex, .footnote", box)) tool.remove();
  for (const it of all("*", box)) {
    if (it.href) it.setAttribute("href", it.href);
    for (const { name } of [...it.attributes]) {
      if (!/^(href|src|alt|start|colspan|rowspan)$/.test(name)) it.removeAttribute(name);
    }
  }
  // What is copied as text has the lines that are seen, so it must be drawn for a moment.
  box.className = "unseen";
  document.body.append(box);
  event.clipboardData.setData("text/plain", box.innerText.trim());
  event.clipboardData.setData("text/html", box.innerHTML);
  box.remove();
  event.preventDefault();
});

// What hides something at its side is a region with a name and a tab stop, and says so at its edge.
const edges = (it) => {
  const hidden = it.scrollWidth - it.clientWidth;
  const named = it.dataset.name;
  if (hidden > 1 && it.clientWidth > 0) {
    if (named || it.matches("pre")) it.tabIndex = 0;
    if (named) {
      it.setAttribute("role", "region");
      it.setAttribute("aria-label", named);
    }
    it.dataset.more = `${it.scrollLeft > 1 ? "before" : ""} ${it.scrollLeft < hidden - 1 ? "after" : ""}`;
  } else if (it.dataset.more !== undefined || it.matches("pre")) {
    it.removeAttribute("tabindex");
    if (named) for (const name of ["role", "aria-label"]) it.removeAttribute(name);
    delete it.dataset.more;
  }
};
const sizes = new ResizeObserver((entries) => { for (const { target } of entries) edges(target); });
const watch = (root) => {
  for (const region of all(".scroll, .wide, pre.code", root)) sizes.observe(region);
};
document.addEventListener("scroll", ({ target }) => {
  if (target.dataset?.more !== undefined) edges(target);
}, { capture: true, passive: true });
watch(document);

// What a link leads to is shown before it is followed. The script for it comes when it is wanted.
const previewed = "main :is([data-preview], .cite, .footnote a)";
const assets = document.currentScript.src;
let wish;
const want = (event) => {
  if (event.pointerType === "touch" || !event.target.closest?.(previewed)) return;
  if (!wish) {
    const script = document.createElement("script");
    script.src = new URL("preview.js", assets).href;
    document.head.append(script);
  }
  wish = event;
};
for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, want);

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
