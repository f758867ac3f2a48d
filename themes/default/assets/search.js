// Searches the book. Loaded when a reader goes to the search field; the files of the index come as
// they are needed, and stay.

const SHOWN = 12;
const PREFIXES = 48;

// Reading. Words and formulas become terms exactly as when the index was made (src/search/words.rs
// and src/search/tex.rs); tests/data/search-cases.json holds both sides together.

const INNER = String.raw`[\p{Alphabetic}\p{N}\p{M}]`;
const UNSPACED = /[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{323af}]/u;
const RUN = new RegExp(String.raw`\d+(?:\.\d+)+(?!${INNER})|${INNER}+(?:['’]${INNER}+)*|.`, "gsu");
const LETTERS = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", ı: "i", ς: "σ", "’": "'" };

export const folded = (word) => word.normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
  .normalize("NFC").toLowerCase().replace(/[ßæœøđłıς’]/g, (it) => LETTERS[it])
  .replace(/[\u0300-\u036f]|[^\p{Alphabetic}\p{N}\p{M}'.]/gu, "");

const without = (word, ending) => {
  if (!word.endsWith(ending)) return null;
  const stem = word.slice(0, -ending.length);
  if (stem.length < 3 || !/[aeiouy]/.test(stem) || stem.endsWith("e")) return null;
  return stem.replace(/([^aeioulsz])\1$/, "$1");
};

export const stemmed = (text, { irregular }) => {
  let word = text.replace(/'s$/, "").replaceAll("'", "");
  if (Object.hasOwn(irregular, word)) return irregular[word];
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  if (word.length > 4 && word.endsWith("ies")) word = `${word.slice(0, -3)}y`;
  else if (/(sses|xes|ches|shes|zzes)$/.test(word)) word = word.slice(0, -2);
  else if (/s$/.test(word) && !/(ss|us|is)$/.test(word)) word = word.slice(0, -1);
  word = without(word, "ing") ?? without(word, "ed") ?? word;
  return word.endsWith("e") && word.length > 3 ? word.slice(0, -1) : word;
};

const named = (tokens) => /^[A-Za-z]{2,}$/.test(tokens ?? "") ? `\\${tokens}` : null;

// The runs of a text, each with its place and its terms.
const runs = function* (text, tables) {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const sign = named(tables.signs[run]);
    if (sign) yield { run, index, terms: [sign] };
    else if (new RegExp(`^${INNER}`, "u").test(run)) {
      const terms = [];
      let part = "";
      const flush = () => {
        const word = part.replace(/^'+|'+$/g, "");
        if (word) terms.push(tables.english ? stemmed(word, tables) : word.replaceAll("'", ""));
        part = "";
      };
      let pairs = [];
      const pair = () => {
        if (pairs.length === 1) terms.push(pairs[0]);
        for (let at = 1; at < pairs.length; at++) terms.push(pairs[at - 1] + pairs[at]);
        pairs = [];
      };
      for (const c of folded(run)) {
        if (UNSPACED.test(c)) { flush(); pairs.push(c); } else { pair(); part += c; }
      }
      flush();
      pair();
      yield { run, index, terms };
    }
  }
};

export const words = (text, tables) => [...runs(text, tables)].flatMap((it) => it.terms);

export const tokens = (tex, tables) => {
  const chars = [...tex];
  const out = [];
  let at = 0;
  let upright = false;
  const take = (wanted) => {
    const start = at;
    while (at < chars.length && wanted.test(chars[at])) at++;
    return chars.slice(start, at).join("");
  };
  const push = (token) => {
    const raised = out.at(-1) === "^";
    if (token === "T" && raised) out.push("top");
    else if (token === "prime" && raised) out[out.length - 1] = token;
    else out.push(token);
  };
  const spread = (text) => text.split(" ").filter(Boolean).forEach(push);
  const group = () => {
    take(/\s/);
    if (chars[at] !== "{") return "";
    const start = at;
    let depth = 0;
    while (at < chars.length) {
      if (chars[at] === "{") depth++;
      if (chars[at] === "}") depth--;
      at++;
      if (depth === 0) break;
    }
    return chars.slice(start, at).join("");
  };
  const command = () => {
    at++;
    const name = take(/[A-Za-z]/);
    if (!name) {
      const sign = chars[at++];
      const special = { "{": "lbrace", "}": "rbrace", "|": "Vert" }[sign];
      if (special) push(special);
      else if (sign && "_%&#$".includes(sign)) push(sign);
      return;
    }
    if (chars[at] === "*") at++;
    if (tables.groups.includes(name)) {
      if (group().includes("array") && name === "begin") group();
      return;
    }
    if (["left", "right", "middle"].includes(name)) {
      take(/\s/);
      if (chars[at] === ".") at++;
    }
    if (tables.upright.includes(name)) upright = true;
    if (Object.hasOwn(tables.commands, name)) spread(tables.commands[name]);
    else push(name);
  };
  const letters = (run) => {
    const word = upright && run.length > 1 || run.length > 3 && !/[A-Z]/.test(run.slice(1));
    upright = false;
    if (word || tables.functions.includes(run)) push(run.toLowerCase());
    else [...run].forEach(push);
  };
  const sign = (c) => {
    if (c === "'") return push("prime");
    if (Object.hasOwn(tables.signs, c)) return spread(tables.signs[c]);
    for (const it of c.normalize("NFKD")) {
      if (Object.hasOwn(tables.signs, it)) spread(tables.signs[it]);
      else push(it);
    }
  };
  while (at < chars.length) {
    const c = chars[at];
    if (c === "\\") command();
    else if (c === "%") take(/[^\n]/);
    else if ("{}&$~".includes(c) || /\s/.test(c)) at++;
    else if (/[A-Za-z]/.test(c)) letters(take(/[A-Za-z]/));
    else if (/\d/.test(c)) {
      let number = take(/\d/);
      if (chars[at] === "." && /\d/.test(chars[at + 1] ?? "")) {
        at++;
        number += `.${take(/\d/)}`;
      }
      push(number);
    } else { at++; sign(c); }
  }
  return out;
};

// What a reader asks for: units that each may be found as one of some terms, and formulas as they
// were typed.
export const asked = (query, tables) => {
  const open = /[^\s]$/.test(query);
  const isFormula = /[\\^_{=]/.test(query)
    || [...query].some((it) => Object.hasOwn(tables.signs, it) && !/\p{L}{2}/u.test(query));
  const units = [];
  const name = (token) => {
    const terms = [`\\${token}`];
    // `nabla` may stand in the text too; a capital letter's name there means the small one.
    if (/^[a-z]{2,}$/.test(token)) terms.push(...words(token, tables));
    units.push({ terms, prefix: token.length > 1 ? terms : [], typed: token });
  };
  const whole = isFormula ? tokens(query, tables) : [];
  if (isFormula) {
    for (const it of whole) if (/^\p{Alphabetic}+$/u.test(it)) name(it);
  } else {
    for (const { run, terms } of runs(query, tables)) {
      for (const term of terms) {
        if (term.startsWith("\\")) { name(term.slice(1)); continue; }
        const all = [term];
        const known = Object.values(tables.signs).includes(run);
        if (/^[A-Za-z]+$/.test(run)) all.push(`\\${run}`);
        if (/^[A-Z][a-z]+$/.test(run) && !known) all.push(`\\${run.toLowerCase()}`);
        const prefix = run.length > 1 || UNSPACED.test(run) ? [folded(run), `\\${run}`] : [];
        units.push({ terms: [...new Set(all)], prefix, typed: folded(run) });
      }
    }
  }
  const last = units.at(-1);
  if (last && open) {
    // Of a word that is not typed to its end, the stem may be shorter than what is typed.
    if (tables.english) for (const ending of ["s", "es", "ed", "ing", "ings", "ies", "e"]) {
      for (let at = 1; at < ending.length; at++) {
        if (last.typed.length > at + 2 && last.typed.endsWith(ending.slice(0, at))) {
          last.terms.push(stemmed(last.typed + ending.slice(at), tables));
        }
      }
    }
  } else if (last) last.prefix = [];
  units.slice(0, -1).forEach((it) => { it.prefix = []; });
  // A few capital letters are a word, `MLP`, or a product, `QK`.
  const typed = isFormula || !/^[A-Z]{2,3}$/.test(query.trim()) ? whole : tokens(query, tables);
  return { units, formula: typed.length > 1 ? typed.join(" ") : "", isFormula };
};

// The index. Its files are kept by the browser, so that what was fetched once is there without a
// network; the first file, which names the others, is asked for anew.

const kept = async () => {
  try { return await caches.open("search"); } catch { return null; }
};

const fetched = async (url, fresh) => {
  const cache = await kept();
  const old = await cache?.match(url);
  if (old && !fresh) return old.json();
  try {
    const answer = await fetch(url, { cache: fresh ? "no-cache" : "default" });
    if (!answer.ok) throw new Error(`${answer.status}`);
    await cache?.put(url, answer.clone());
    return await answer.json();
  } catch (error) {
    if (old) return old.json();
    throw error;
  }
};

export class Index {
  constructor(base) {
    this.base = base;
    this.files = new Map();
  }

  // The index below an address.
  static async open(root) {
    const index = new Index(new URL("search/", root));
    Object.assign(index, await fetched(new URL("index.json", index.base).href, true));
    index.tidy().catch(() => {});
    return index;
  }

  // Forgets files of editions of this book that are no more.
  async tidy() {
    const cache = await kept();
    const names = [...this.terms, ...this.entries].map((it) => it[1]).concat(this.formulas);
    const known = new Set([...names, "index.json"].map((it) => new URL(it, this.base).href));
    for (const { url } of await cache?.keys() ?? []) {
      if (url.startsWith(this.base.href) && !known.has(url)) await cache.delete(url);
    }
  }

  file(name) {
    if (!this.files.has(name)) {
      const file = fetched(new URL(name, this.base).href, false);
      file.catch(() => this.files.delete(name));
      this.files.set(name, file);
    }
    return this.files.get(name);
  }

  // The place in a list of files of the one that has `key`.
  place(list, key) {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle][0] <= key) low = middle + 1;
      else high = middle;
    }
    return Math.max(low - 1, 0);
  }

  async term(term) {
    if (this.terms.length === 0) return null;
    const terms = await this.file(this.terms[this.place(this.terms, term)][1]);
    return Object.hasOwn(terms, term) ? terms[term] : null;
  }

  // The terms that begin with `start`, the shortest first.
  async prefixed(start) {
    if (!start || this.terms.length === 0) return [];
    const first = this.place(this.terms, start);
    const last = this.place(this.terms, `${start}\uffff`);
    const files = await Promise.all(this.terms.slice(first, last + 1).map((it) => this.file(it[1])));
    const found = files.flatMap((it) => Object.entries(it).filter(([term]) => term.startsWith(start)));
    return found.sort((a, b) => a[0].length - b[0].length).slice(0, PREFIXES);
  }

  async entry(at) {
    const place = this.place(this.entries, at);
    const [start, name] = this.entries[place];
    return (await this.file(name))[at - start];
  }

  // How well each entry fits a unit: entry → score, and whether its title has it.
  async unit({ terms, prefix }) {
    const exact = await Promise.all([...new Set(terms)].map((it) => this.term(it)));
    const longer = (await Promise.all(prefix.map((it) => this.prefixed(it)))).flat();
    const best = new Map();
    const add = (list, weight) => {
      for (let at = 0, entry = 0; at < list.length; at += 2) {
        entry += list[at];
        const often = list[at + 1] >> 1;
        const length = this.lengths[entry] / Math.max(this.mean, 1);
        const score = weight * often * 2.2 / (often + 1.2 * (0.35 + 0.65 * length));
        const old = best.get(entry);
        const titled = (list[at + 1] & 1) * weight;
        best.set(entry, {
          score: Math.max(score, old?.score ?? 0),
          titled: Math.max(titled, old?.titled ?? 0),
        });
      }
    };
    exact.filter(Boolean).forEach((it) => add(it, 1));
    for (const [, list] of longer) add(list, exact.some(Boolean) ? 0.3 : 0.6);
    const count = this.lengths.length;
    const rarity = Math.log(1 + (count - best.size + 0.5) / (best.size + 0.5));
    return { best, rarity: Math.max(rarity, 0.02) };
  }

  // Entries whose formulas have what was typed: entry → score.
  async typed(formula) {
    const wanted = formula.split(" ");
    const pairs = (list) => new Set(list.slice(1).map((it, at) => `${list[at]} ${it}`));
    const asked = pairs(wanted);
    const found = new Map();
    const files = await Promise.all(this.formulas.map((it) => this.file(it)));
    for (const [entry, text] of files.flat()) {
      const tokens = text.split(" ");
      const share = wanted.length / Math.max(tokens.length, wanted.length);
      let score = 0;
      if (` ${text} `.includes(` ${formula} `)) score = 40 + 20 * share;
      else if (` ${text} `.includes(` ${formula}`)) score = 30 + 20 * share;
      else if (asked.size > 1) {
        const has = pairs(tokens);
        const part = [...asked].filter((it) => has.has(it)).length / asked.size;
        if (part >= 0.6) score = 20 * part * (0.5 + 0.5 * share);
      }
      if (score > 0) found.set(entry, Math.max(score, found.get(entry) ?? 0));
    }
    return found;
  }

  // The entries for a query, the best first.
  async search(query) {
    const { units, formula, isFormula } = asked(query.normalize("NFC"), this.tables);
    if (units.length === 0 && !formula) return { found: [], terms: [], prefix: "" };
    const [lists, typed] = await Promise.all([
      Promise.all(units.map((it) => this.unit(it))),
      formula ? this.typed(formula) : new Map(),
    ]);
    const all = lists.reduce((sum, it) => sum + it.rarity, 0);
    const scores = new Map();
    for (const { best, rarity } of lists) {
      for (const [entry, { score, titled }] of best) {
        const sum = scores.get(entry) ?? { score: 0, covered: 0, titled: 0, named: 0 };
        sum.score += score * rarity;
        sum.covered += rarity;
        sum.titled += titled;
        sum.named += titled * rarity;
        scores.set(entry, sum);
      }
    }
    // One that lacks most of what was asked for is no result. Of a formula, the parts say little.
    const least = formula && isFormula ? 0.8 : 0.5;
    const found = new Map();
    for (const [entry, { score, covered, titled, named: inTitle }] of scores) {
      const share = covered / all;
      if (share < least) continue;
      const kind = this.heads[entry] % 8;
      const title = Math.max(this.heads[entry] >> 3, 1);
      const weight = [1.15, 1, 1.1, 1.25, 0.9][kind];
      // How much of the question is in the title, and how much of the title is in the question.
      const whole = 1 + (inTitle / all) * Math.min(titled / title, 1);
      found.set(entry, score * share ** 3 * whole * weight);
    }
    // What has the formula as it was typed comes before all that has its parts.
    const top = Math.max(...found.values(), 1);
    for (const [entry, score] of typed) {
      const kind = this.heads[entry] % 8;
      found.set(entry, (found.get(entry) ?? 0) + top * score * (kind >= 3 ? 1.4 : 1));
    }
    const exact = [...typed.values()].some((it) => it >= 30);
    const isResult = (entry) => !isFormula || !exact || typed.has(entry);
    const sorted = [...found].filter((it) => isResult(it[0]))
      .sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    // What nearly every entry has is looked for, but not marked.
    const rare = Math.max(...lists.map((it) => it.rarity)) / 4;
    const last = units.at(-1);
    return {
      found: sorted.map((it) => it[0]),
      terms: new Set(units.filter((_, at) => lists[at].rarity > rare).flatMap((it) => it.terms)),
      prefix: lists.at(-1)?.rarity > rare ? last.prefix[0]?.replace(/^\\/, "") ?? "" : "",
    };
  }
}

// The field and its results: a combobox with a list box.

const LENGTH = 190;

const element = (tag, name, text = "") => {
  const it = document.createElement(tag);
  if (name) it.className = name;
  it.textContent = text;
  return it;
};

// The part of a text with the most of what was asked for, the words found in `mark`.
const excerpt = (text, { terms, prefix }, tables) => {
  const marks = [];
  for (const { run, index, terms: its } of runs(text, tables)) {
    const starts = prefix.length > 1 && folded(run).startsWith(prefix);
    if (starts || its.some((it) => terms.has(it))) marks.push([index, index + run.length, its[0]]);
  }
  let [best, from] = [0, 0];
  for (const [index, [start]] of marks.entries()) {
    const inside = marks.slice(index).filter((it) => it[1] < start + LENGTH - 40);
    const worth = new Set(inside.map((it) => it[2])).size * 4 + Math.min(inside.length, 4);
    if (worth > best) [best, from] = [worth, start];
  }
  // No formula is cut; each stands between U+2068 and U+2069.
  const opened = (at) => text.lastIndexOf("\u2068", at) > text.lastIndexOf("\u2069", at);
  let start = Math.max(0, from - 50);
  if (start > 0) start = text.indexOf(" ", start) + 1;
  if (opened(start)) start = text.lastIndexOf("\u2068", start);
  let end = Math.min(text.length, start + LENGTH);
  if (end < text.length) end = Math.max(text.lastIndexOf(" ", end), start + LENGTH / 2);
  if (opened(end - 1)) end = (text.indexOf("\u2069", end) + 1) || text.length;
  const put = (parent, begin, stop) => {
    let at = begin;
    for (const [first, last] of marks) {
      if (first < at || last > stop) continue;
      parent.append(text.slice(at, first), element("mark", "", text.slice(first, last)));
      at = last;
    }
    parent.append(text.slice(at, stop));
  };
  const out = element("span", "hit-text", start > 0 ? "… " : "");
  let at = start;
  for (const { 0: formula, index } of text.slice(start, end).matchAll(/\u2068[^\u2069]*\u2069/g)) {
    put(out, at, start + index);
    at = start + index + 1;
    const maths = element("span", "hit-maths");
    for (const { 0: script, index: place } of formula.matchAll(/[_^](?:\([^()]*\)|[^\s()])/g)) {
      put(maths, at, start + index + place);
      at = start + index + place + script.length;
      const tag = script[0] === "_" ? "sub" : "sup";
      maths.append(element(tag, "", script.slice(1).replace(/^\((.*)\)$/, "$1")));
    }
    put(maths, at, start + index + formula.length - 1);
    at = start + index + formula.length;
    out.append(maths);
  }
  put(out, at, end);
  out.append(end < text.length ? " …" : "");
  return out;
};

// HTML of the index, which the book's own program wrote.
const span = (name, html) => {
  const it = element("span", name);
  it.innerHTML = html;
  return it;
};

export const attach = (box) => {
  const [field, list, panel] = ["[role=combobox]", "[role=listbox]", ".search-panel"]
    .map((it) => box.querySelector(it));
  const [status, count] = [".search-said", ".search-count"].map((it) => box.querySelector(it));
  const root = new URL(box.dataset.root || "./", document.baseURI);
  const { many, one, none, failed } = box.dataset;
  let index;
  let opening;
  let turn = 0;
  let answer = { found: [] };
  let options = [];
  let active = -1;

  const choose = (at) => {
    options[active]?.setAttribute("aria-selected", "false");
    active = at;
    const option = options[at];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) field.setAttribute("aria-activedescendant", option.id);
    else field.removeAttribute("aria-activedescendant");
  };
  const open = (wanted) => {
    panel.hidden = !wanted;
    field.setAttribute("aria-expanded", String(wanted && options.length > 0));
    if (!wanted) choose(-1);
  };
  const say = (text) => {
    count.textContent = text;
    status.textContent = text;
  };

  const option = async (answer, number) => {
    const at = answer.found[number];
    const [address, title, crumbs, name, text, drawn] = await index.entry(at);
    const it = element("a", "hit");
    it.id = `hit-${number}`;
    it.tabIndex = -1;
    it.href = new URL(address, root).href;
    it.setAttribute("role", "option");
    it.setAttribute("aria-selected", "false");
    it.setAttribute("aria-setsize", answer.found.length);
    it.setAttribute("aria-posinset", number + 1);
    const kind = index.heads[at] % 8;
    const where = crumbs.join('<span class="hit-in"> › </span>');
    const head = element("span", "hit-head");
    // A symbol stands before its meaning, a formula below its name.
    if (kind === 4) head.append(span("hit-symbol", drawn));
    head.append(span("hit-title", title));
    if (name) head.append(element("span", title ? "hit-number" : "hit-title", name));
    it.append(head);
    if (kind === 3) it.append(span("hit-formula", drawn));
    if (text) it.append(excerpt(text, answer, index.tables));
    it.append(span("hit-crumbs", kind === 4 ? box.dataset.notation : where));
    return it;
  };

  const made = (answer, start) => {
    const next = answer.found.slice(start, start + SHOWN);
    return Promise.all(next.map((_, at) => option(answer, start + at)));
  };

  // Shows the next results of a long list.
  const more = async () => {
    const [mine, start] = [turn, options.length];
    const next = await made(answer, start).catch(() => []);
    if (mine !== turn || options.length !== start) return;
    options.push(...next);
    list.append(...next);
  };

  const show = async (opens = true) => {
    const mine = ++turn;
    const query = field.value;
    try {
      index = await (opening ??= Index.open(root));
      const found = await index.search(query);
      // What is shown stays until there is something else to show.
      const first = await made(found, 0);
      if (mine !== turn) return;
      choose(-1);
      [answer, options] = [found, first];
      list.replaceChildren(...first);
      list.hidden = options.length === 0;
      panel.scrollTop = 0;
      const size = found.found.length;
      const blank = query.trim() === "";
      say(blank ? "" : size === 0 ? none : size === 1 ? one : many.replace("{n}", size));
      panel.classList.toggle("is-blank", blank);
      field.dataset.shown = query;
    } catch {
      if (mine !== turn) return;
      opening = undefined;
      options = [];
      list.replaceChildren();
      list.hidden = true;
      say(failed);
    }
    open(opens && box.contains(document.activeElement));
  };

  field.addEventListener("input", () => show());
  field.addEventListener("focus", () => show());
  field.addEventListener("click", () => { if (panel.hidden) show(); });
  field.addEventListener("keydown", (event) => {
    const { key } = event;
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const last = options.length - 1;
    const shown = !panel.hidden && last >= 0;
    if (key === "Escape") {
      event.preventDefault();
      if (!panel.hidden) open(false);
      else if (field.value) { field.value = ""; show(false); } else field.blur();
    } else if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      if (!shown) return void show();
      if (active > last - 3) more();
      const next = active + (key === "ArrowDown" ? 1 : -1);
      choose(next > last ? 0 : next < 0 ? last : next);
    } else if (shown && active >= 0 && (key === "Home" || key === "End")) {
      event.preventDefault();
      choose(key === "Home" ? 0 : last);
    } else if (key === "Enter" && shown) {
      event.preventDefault();
      // Results of what was typed before are no answer.
      if (field.dataset.shown === field.value) options[Math.max(active, 0)].click();
    }
  });
  list.addEventListener("click", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) { field.blur(); open(false); }
  });
  panel.addEventListener("scroll", () => {
    if (panel.scrollTop + 1.5 * panel.clientHeight > panel.scrollHeight) more();
  }, { passive: true });
  box.addEventListener("focusout", (event) => {
    if (!box.contains(event.relatedTarget)) open(false);
  });
  // A press on the panel keeps the focus in the field, but not from what can have it.
  panel.addEventListener("mousedown", (event) => {
    if (!event.target.closest("input, label, a:not(.hit)")) event.preventDefault();
  });
  if (document.activeElement === field) show();
};
