// Cards that show what a link leads to, beside it. Loaded with the first wish for one (book.js).
"use strict";
{
  // Milliseconds that a pointer rests on a link before its card comes, and that a card stays after it.
  const [COMES, STAYS] = [280, 320];
  const card = document.createElement("div");
  card.className = "preview";
  card.id = "preview";
  card.popover = "manual";
  card.setAttribute("role", "dialog");
  document.body.append(card);

  const fetched = new Map();
  let link, wanted, refused, timer;

  // A fragment, from the store of the browser if there is no network.
  const load = async (name) => {
    const url = new URL(`../preview/${name}.txt`, assets);
    const stored = () => fetch(url, { cache: "only-if-cached", mode: "same-origin" });
    const answer = await fetch(url).catch(stored);
    if (!answer.ok) throw new Error(url);
    return answer.text();
  };
  const fragment = (name) => {
    if (!fetched.has(name)) fetched.set(name, load(name));
    return fetched.get(name);
  };
  // What is on this page anyway: footnotes, works, and all where fragments cannot be had.
  const here = (from) => {
    const there = from.pathname === location.pathname && from.hash.length > 1;
    return there ? document.getElementById(decodeURIComponent(from.hash.slice(1)))?.innerHTML : "";
  };
  const content = async (from) => {
    const name = from.dataset.preview;
    const html = name ? await fragment(name).catch(() => {
      fetched.delete(name);
      return from.href ? here(from) : "";
    }) : here(from);
    const parsed = new DOMParser().parseFromString(html ?? "", "text/html");
    for (const it of all(".back, .copy, .permalink, .tex, script", parsed)) it.remove();
    for (const it of all("a, summary", parsed)) it.replaceWith(...it.childNodes);
    for (const it of all("details", parsed)) it.open = true;
    for (const it of all("[id], [data-preview]", parsed)) {
      it.removeAttribute("id");
      delete it.dataset.preview;
    }
    // Pictures are named as seen from the page that they are on.
    for (const it of all("img", parsed)) it.src = new URL(it.getAttribute("src"), from.href).href;
    return [...parsed.body.childNodes];
  };

  // The same symbol, wherever it stands in the card of its formula.
  const light = (from, on) => {
    const around = from.closest(".card") ?? from.closest(".equation");
    const name = from.dataset.preview;
    if (!around || !name?.startsWith("symbols/")) return;
    for (const it of all("[data-preview]", around)) {
      if (it.dataset.preview === name) it.classList.toggle("lit", on);
    }
  };

  const place = (from, x, y) => {
    const gap = 8;
    const boxes = [...from.getClientRects()];
    const under = (it) => x >= it.left && x <= it.right && y >= it.top - 2 && y <= it.bottom + 2;
    const box = from.href ? boxes.find(under) ?? boxes[0] : from.getBoundingClientRect();
    const wide = document.documentElement.clientWidth;
    card.style.maxHeight = "";
    const below = innerHeight - box.bottom - 2 * gap;
    const above = box.top - (document.querySelector(".top")?.offsetHeight ?? 0) - 2 * gap;
    const below_link = below >= card.offsetHeight || below >= above;
    card.style.maxHeight = `${Math.max(96, Math.min(below_link ? below : above, 416))}px`;
    const left = Math.max(gap, Math.min(box.left, wide - card.offsetWidth - gap));
    card.style.left = `${left + scrollX}px`;
    // Where pictures make it higher afterwards, it grows away from its link.
    const root = document.documentElement.clientHeight;
    card.style.top = below_link ? `${box.bottom + gap + scrollY}px` : "auto";
    card.style.bottom = below_link ? "auto" : `${root - box.top + gap - scrollY}px`;
  };

  const hide = () => {
    clearTimeout(timer);
    wanted = undefined;
    if (!link) return;
    light(link, false);
    link.removeAttribute("aria-details");
    link = undefined;
    card.hidePopover();
    card.replaceChildren();
  };
  const show = async (from, x = -1, y = -1) => {
    wanted = from;
    const nodes = await content(from);
    if (wanted !== from || nodes.length === 0 || !from.isConnected) return;
    if (link !== from) hide();
    wanted = from;
    link = from;
    card.replaceChildren(...nodes);
    const head = card.querySelector(".preview-head");
    if (head) head.id = "preview-head";
    card.setAttribute(...(head ? ["aria-labelledby", "preview-head"]
      : ["aria-label", from.getAttribute("aria-label") ?? from.textContent]));
    card.removeAttribute(head ? "aria-label" : "aria-labelledby");
    // What a browser would show besides is said by the link itself.
    if (from.title) [from.ariaDescription, from.title] = [from.title, ""];
    if (from.href) from.setAttribute("aria-details", "preview");
    light(from, true);
    if (!card.matches(":popover-open")) card.showPopover({ source: from });
    card.scrollTop = 0;
    watch(card);
    place(from, x, y);
    // A card that is higher than the screen allows is scrolled by keyboard too.
    if (card.scrollHeight > card.clientHeight + 1) card.tabIndex = 0;
    else card.removeAttribute("tabindex");
  };
  const later = (milliseconds, what) => {
    clearTimeout(timer);
    timer = setTimeout(what, milliseconds);
  };
  const focused = () => link && (link === document.activeElement || card.contains(document.activeElement));

  const over = (event) => {
    if (event.pointerType === "touch") return;
    if (card.contains(event.target)) return clearTimeout(timer);
    const from = event.target.closest?.(previewed);
    if (refused !== from) refused = undefined;
    if (from && from === refused) return;
    if (from && from === link) return clearTimeout(timer);
    if (from) return later(COMES, () => show(from, event.clientX, event.clientY));
    wanted = undefined;
    clearTimeout(timer);
    if (link && !focused()) later(STAYS, hide);
  };
  const focus = (event) => {
    const from = event.target.closest?.(previewed);
    if (from && from.matches(":focus-visible")) show(from);
    else if (!card.contains(event.target)) hide();
  };

  document.addEventListener("pointerover", over);
  document.documentElement.addEventListener("pointerleave", () => {
    if (link && !focused()) later(STAYS, hide);
  });
  document.addEventListener("focusin", focus);
  document.addEventListener("focusout", (event) => {
    if (!event.relatedTarget && !card.matches(":hover")) hide();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !(link || wanted)) return;
    refused = link ?? wanted;
    if (card.contains(document.activeElement)) link?.focus({ preventScroll: true });
    hide();
    event.preventDefault();
  });
  document.addEventListener("click", (event) => { if (!card.contains(event.target)) hide(); });
  addEventListener("resize", hide);
  addEventListener("pagehide", hide);

  document.removeEventListener("pointerover", want);
  document.removeEventListener("focusin", want);
  if (wish.type === "focusin") focus(wish);
  else if (wish.target.matches(":hover")) over(wish);
}
