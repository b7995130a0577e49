// What does not fit on the page as it is shown: `fitting()` returns [kind, where, what] for each finding.
"use strict";

window.fitting = (() => {
  const SLACK = 1.5; // pixels that rounding may cost
  const TARGET = 24 * 24; // square pixels of a control that must be free to press, as WCAG 2.5.8 has it
  const CONTROLS = "button, a[href], summary, select, input:not([type=hidden])";
  const LENGTH = document.documentElement.lang === "eo" ? 1.5 : 1; // of words, against the longest that are spoken: `atoll.testing.pseudo`
  const NAMES = "[id], .panel, section, nav, header, li";

  const memories = [];
  /** A function of an element that finds the same until something opens or the window has another size. */
  const once = (find) => {
    const known = new Map();
    memories.push(known);
    return (element) => {
      if (!known.has(element)) known.set(element, find(element));
      return known.get(element);
    };
  };
  const forget = () => memories.forEach((known) => known.clear());

  const shownIn = once((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }));
  const words = (text) => text.replace(/\s+/g, " ").trim().slice(0, 60);
  const style = once((element) => getComputedStyle(element));

  /** A name for an element that a person finds it by. */
  function named(element) {
    const own = element.id ? `#${element.id}` : element.tagName.toLowerCase() + [...element.classList].map((name) => `.${name}`).join("");
    const around = element.id ? null : element.parentElement?.closest("[id]");
    return around && around !== document.body ? `#${around.id} ${own}` : own;
  }

  /** Whether the element is there for those who listen alone. */
  const unseen = once((element) => {
    if (!element || element === document.body) return false;
    const { clipPath, position } = style(element);
    return (clipPath === "inset(50%)" && position === "absolute") || unseen(element.parentElement);
  });

  const opaque = (colour) => {
    const alpha = /rgba?\([^)]*[,/]\s*([\d.]+)\)$/.exec(colour.startsWith("rgba") || colour.includes("/") ? colour : "");
    return colour !== "transparent" && (!alpha || Number(alpha[1]) > 0.5);
  };
  /** Whether the element paints a surface of its own. */
  const isSurface = once((element) => {
    if (element.closest("svg") && element.tagName !== "svg") return style(element).fill !== "none" && Number(style(element).opacity) > 0.5;
    const { backgroundColor, backgroundImage, borderImageSource } = style(element);
    return opaque(backgroundColor) || backgroundImage !== "none" || borderImageSource !== "none" || element.tagName === "IMG";
  });
  const bordered = once((element) => {
    const { borderTopWidth, borderTopStyle, borderLeftWidth } = style(element);
    return borderTopStyle !== "none" && parseFloat(borderTopWidth) > 0 && parseFloat(borderLeftWidth) > 0;
  });

  const hides = (overflow) => overflow === "hidden" || overflow === "clip";
  const scrolls = (overflow) => overflow === "auto" || overflow === "scroll";

  /** The lines of a text as they are read: without the room above and below the letters. */
  function linesOf(node) {
    const range = document.createRange();
    range.selectNodeContents(node);
    return Array.from(range.getClientRects(), ({ left, right, top, bottom }) => {
      const room = (bottom - top) * 0.18;
      return { left, right, top: top + room, bottom: bottom - room };
    }).filter((line) => line.right - line.left > 1 && line.bottom - line.top > 1);
  }

  /** What stands around an element and clips it, up to what takes it out of the flow. */
  const around = once((element) => {
    const found = [];
    let { position } = style(element);
    for (let at = element.parentElement; at && at !== document.documentElement && position !== "fixed"; at = at.parentElement) {
      const place = style(at).position;
      if (position === "absolute" && place === "static" && style(at).containerType === "normal") continue;
      found.push(at);
      position = place;
    }
    return found;
  });

  /** How far a box lies outside of another: to the sides, and up or down. */
  const outside = (box, other) => [
    Math.max(other.left - box.left, box.right - other.right),
    Math.max(other.top - box.top, box.bottom - other.bottom),
  ];
  const paddingBox = (element) => {
    const box = element.getBoundingClientRect();
    const left = box.left + element.clientLeft;
    const top = box.top + element.clientTop;
    return { left, top, right: left + element.clientWidth, bottom: top + element.clientHeight };
  };

  /** How an element lets what lies outside of it be seen; nothing if it does altogether. */
  const overflowOf = once((element) => {
    if (element instanceof SVGElement) return null;
    const { overflowX, overflowY, display } = style(element);
    return display === "inline" || display === "contents" || (overflowX === "visible" && overflowY === "visible") ? null : { overflowX, overflowY };
  });

  /** What is left of a box in the windows around it; and what cuts it for good. */
  function clipped(element, box) {
    const { left, right, top, bottom } = box;
    let seen = { left, right, top, bottom };
    let by = null;
    for (const parent of [element, ...around(element)]) {
      if (parent === document.body) break;
      const overflow = overflowOf(parent);
      if (!overflow) continue;
      const { overflowX, overflowY } = overflow;
      const edge = paddingBox(parent);
      const [across, down] = outside(seen, edge);
      if ((hides(overflowX) && across > SLACK) || (hides(overflowY) && down > SLACK)) by ??= parent;
      if (overflowX !== "visible") seen = { ...seen, left: Math.max(seen.left, edge.left), right: Math.min(seen.right, edge.right) };
      if (overflowY !== "visible") seen = { ...seen, top: Math.max(seen.top, edge.top), bottom: Math.min(seen.bottom, edge.bottom) };
    }
    return [seen, by];
  }

  const empty = (box) => box.right - box.left < 1 || box.bottom - box.top < 1;
  const common = (one, two) =>
    Math.min(one.right, two.right) - Math.max(one.left, two.left) > 2 && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 2;
  /** How wide a line of a text may be. */
  function lineWidth(element) {
    while (["inline", "contents"].includes(style(element).display)) element = element.parentElement;
    return element.clientWidth - parseFloat(style(element).paddingLeft) - parseFloat(style(element).paddingRight);
  }

  /** The words of a text that are broken in two, although no hyphen allows it and a line has room for them. */
  function* brokenWords(node) {
    const element = node.parentElement;
    const { overflowWrap, wordBreak, hyphens } = style(element);
    if ((overflowWrap === "normal" && wordBreak === "normal") || hyphens === "auto" || element.closest("code, output, [href^=http]")) return;
    const range = document.createRange();
    for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{M}’']+/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 1);
      const [tops, width] = [boxes.map(({ top }) => top), boxes.reduce((sum, box) => sum + box.width, 0)];
      if (Math.max(...tops) - Math.min(...tops) > 4 && width <= lineWidth(element)) yield word;
    }
  }

  /** What is drawn over the rest of the page: what opens, what sticks. */
  const layerOf = once((element) => {
    if (!element) return null;
    return ["fixed", "sticky"].includes(style(element).position) ? element : layerOf(element.parentElement);
  });
  const inWindow = (box) => {
    const left = Math.max(box.left, 0);
    const top = Math.max(box.top, 0);
    return { left, top, right: Math.min(box.right, innerWidth), bottom: Math.min(box.bottom, innerHeight) };
  };

  /** What can be read. */
  const textNodes = once((root) => {
    const found = [];
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const node = walk.currentNode;
      const element = node.parentElement;
      if (!node.data.trim() || ["SCRIPT", "STYLE", "OPTION", "NOSCRIPT", "TITLE"].includes(element.tagName) || element.closest("svg")) continue; // a picture's own writing belongs to the picture
      if (shownIn(element) && !unseen(element) && parseFloat(style(element).fontSize) >= 1) found.push(node);
    }
    return found;
  });

  /** What covers the middle of a box: a surface or a piece of writing's own box that does not belong to it. */
  function cover(element, box) {
    const y = (box.top + box.bottom) / 2;
    const belongs = (above) => above.contains(element) || element.contains(above);
    for (const share of [0.06, 0.5, 0.94]) {
      const x = box.left + (box.right - box.left) * share;
      const top = document.elementFromPoint(x, y); // all that lies there takes longer to find
      if (!top || belongs(top)) continue;
      for (const above of document.elementsFromPoint(x, y)) {
        if (belongs(above)) break;
        if (above.closest(".piece, .ghost") || layerOf(above) !== layerOf(element)) continue;
        if (isSurface(above)) return above;
      }
    }
    return null;
  }

  /** What a text stands on, and that on what; what is put on an edge on purpose has left the flow. */
  const panels = once((element) => {
    const found = [];
    for (const parent of [element, ...around(element)]) {
      if (parent === document.body) break;
      const { display, position } = style(parent);
      if (display !== "inline" && display !== "contents" && (bordered(parent) || isSurface(parent))) found.push(parent);
      if (position !== "static" && position !== "relative") break;
    }
    return found;
  });

  const texts = (root) =>
    textNodes(root).flatMap((node) => linesOf(node).map((line) => ({ element: node.parentElement, line, text: words(node.data) })));

  /** Whether what is cut is told whole to whoever points at it. */
  const ISOLATES = /[\u2066-\u2069]/g;  // around names in attributes, where <bdi> cannot stand
  const saidWhole = ({ title, textContent }) => title && words(textContent).startsWith(title.replace(ISOLATES, ""));

  /** Labels, which have writing on a surface and a border, leave room between each other; what belongs to one entry of a list may lie on it. */
  function* labelFaults(root) {
    const found = new Map();
    for (const node of textNodes(root)) {
      const panel = panels(node.parentElement).find((parent) => bordered(parent) && isSurface(parent) && !parent.closest(".piece, .ghost"));
      if (!panel || found.has(panel)) continue;
      const box = inWindow(clipped(panel, panel.getBoundingClientRect())[0]);
      if (!empty(box)) found.set(panel, { box, layer: layerOf(panel), text: words(panel.textContent) });
    }
    const all = [...found];
    for (const [index, [one, { box, layer, text }]] of all.entries())
      for (const [two, other] of all.slice(index + 1)) {
        if (layer !== other.layer || one.contains(two) || two.contains(one) || one.closest("li")?.contains(two) || two.closest("li")?.contains(one)) continue;
        const [across, down] = [Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left), Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top)];
        if (across > 0.5 && down > 0.5) yield ["meets", named(two), `${text} | ${other.text} (${across.toFixed(1)} x ${down.toFixed(1)})`];
      }
  }

  function* textFaults(root) {
    if (LENGTH === 1) for (const node of textNodes(root)) for (const word of brokenWords(node)) yield ["breaks a word", named(node.parentElement), word];
    const seenTexts = [];
    for (const { element, line, text } of texts(root)) {
      const [seen, by] = clipped(element, line);
      if (by) {
        if (!saidWhole(by)) yield ["cut", named(by), text];
        continue;
      }
      if (empty(seen)) continue; // one scrolls to it
      const visible = inWindow(seen);
      if (!empty(visible))
        for (const panel of panels(element)) {
          const [across, down] = outside(seen, panel.getBoundingClientRect());
          if (across > SLACK || down > SLACK + 1) {
            yield ["leaves its panel", named(panel), text];
            break;
          }
        }
      if (!layerOf(element) && (seen.left < -SLACK || seen.right > innerWidth + SLACK)) yield ["leaves the window", named(element), text];
      if (visible.bottom - visible.top < 3 || empty(visible)) continue; // its edge alone: one scrolls to the rest
      const covering = cover(element, visible);
      if (covering) yield ["covers", named(covering), text];
      else seenTexts.push({ element, box: visible, text, layer: layerOf(element) });
    }
    for (const [index, one] of seenTexts.entries())
      for (const two of seenTexts.slice(index + 1))
        if (one.element !== two.element && one.layer === two.layer && common(one.box, two.box) && !one.element.closest(".ghost"))
          yield ["overlaps", named(two.element), `${one.text} | ${two.text}`];
  }

  function* boxFaults(root) {
    for (const element of root.querySelectorAll("*")) {
      if (element.closest("svg") || !shownIn(element) || unseen(element)) continue;
      const { overflowX, overflowY, textOverflow, webkitLineClamp } = style(element);
      const across = element.scrollWidth - element.clientWidth;
      const down = element.scrollHeight - element.clientHeight;
      if (!element.clientWidth) continue;
      if (textOverflow === "ellipsis" && across > 0 && hides(overflowX) && !saidWhole(element)) yield ["cut", named(element), words(element.textContent)];
      if (webkitLineClamp !== "none" && down > 2 && !saidWhole(element)) yield ["cut", named(element), words(element.textContent)];
      const isTable = element.matches("[tabindex='0']") && element.querySelector("table");
      if (scrolls(overflowX) && across > 1 && element !== document.body && !isTable) yield ["scrolls sideways", named(element), `${element.scrollWidth} > ${element.clientWidth}`];
      const isKnown = element.matches("main, dialog, [popover], [tabindex='0']") || element.querySelector(CONTROLS);
      if (scrolls(overflowY) && down > 4 && !isKnown) yield ["is out of sight", named(element), `${down} px of ${element.scrollHeight}`];
      if (scrolls(overflowY) && down > 4 && element.clientHeight < 60) yield ["is a slit", named(element), `${element.clientHeight} px of ${element.scrollHeight}`];
      if (element.tagName === "SELECT" && element.getBoundingClientRect().right > innerWidth + SLACK) yield ["leaves the window", named(element), ""];
    }
  }

  /** Whether enough of a control can be pressed once one has scrolled to it. */
  function isFree(control) {
    const box = inWindow(control.getBoundingClientRect());
    if (empty(box)) return false;
    const hit = (x, y) => {
      const top = document.elementFromPoint(x, y);
      return top && (top === control || control.contains(top) || top.closest("label")?.control === control);
    };
    if (hit((box.left + box.right) / 2, (box.top + box.bottom) / 2)) return true;
    const step = 4;
    const enough = Math.min(TARGET, (0.5 * control.offsetWidth || 24) * (control.offsetHeight || 24));
    let free = 0;
    for (let x = box.left + step / 2; x < box.right; x += step)
      for (let y = box.top + step / 2; y < box.bottom; y += step) {
        free += hit(x, y) ? step * step : 0;
        if (free >= enough) return true;
      }
    return false;
  }

  const isReached = (control) =>
    ["center", "start", "end"].some((block) => {
      control.scrollIntoView({ block, inline: "nearest" });
      return isFree(control);
    });

  function* controlFaults(root) {
    const alike = ".log-entry summary"; // some hundred, one like the other: scrolling to each would take seconds
    const asked = [...root.querySelectorAll(CONTROLS)].filter((control) => !control.matches(alike));
    const entries = [...root.querySelectorAll(alike)];
    for (const control of [...asked, ...entries.slice(0, 1), ...entries.slice(1).slice(-1)]) {
      if (!shownIn(control) || unseen(control) || control.matches(".skip")) continue;
      if (isFree(control)) continue;
      if (!isReached(control)) yield ["cannot be pressed", named(control), words(control.ariaLabel || control.textContent)];
    }
  }

  /** What one is asked, and something to answer with, are seen at once. */
  function* firstSight() {
    const bar = document.querySelector("#table .bar");
    if (!bar) return;
    const box = bar.getBoundingClientRect();
    if (box.top < 0 || box.bottom > innerHeight + SLACK) yield ["is not in view", "#bar", words(bar.textContent)];
    const share = bar.matches(".looking-back") ? 0.49 : 0.16; // it has the points drawn, too
    const least = bar.matches(".teaching") ? 180 : bar.closest(".end") ? 140 : 96; // what a lesson explains, and what comes next at the end
    if (box.height > LENGTH * Math.max(least, share * innerHeight)) yield ["is too high", "#bar", `${Math.round(box.height)} px`];
    const answers = [...document.querySelectorAll("#main button.press:not(.about)"), ...bar.querySelectorAll(".call")].filter(shownIn);
    const main = inWindow(document.getElementById("main").getBoundingClientRect());
    const isThere = (control) => {
      const seen = inWindow(clipped(control, control.getBoundingClientRect())[0]);
      return !empty(seen) && (seen.bottom - seen.top) * (seen.right - seen.left) >= TARGET && isFree(control);
    };
    if (bar.matches(".mine") && answers.length && !answers.some(isThere)) yield ["is not in view", "#main", "nothing to press without scrolling"];
    const down = document.documentElement.scrollHeight - innerHeight;
    if (scrolls(style(document.getElementById("main")).overflowY) && down > SLACK) yield ["can be scrolled", "the page", `${down} px`];
    const isBeside = innerWidth >= 1100 && innerHeight >= 700 && document.querySelector("#table:not(.over, .past)"); // board, hand and seats are seen at once
    if (isBeside && down > SLACK) yield ["can be scrolled", "the page", `${down} px`];
    if (main.bottom - main.top < 0.3 * innerHeight) yield ["is a slit", "#main", `${Math.round(main.bottom - main.top)} px`];
  }

  /** The log: what is seen of it beside the board, and what once it is opened. */
  function* logFaults() {
    const log = document.getElementById("log");
    if (!log) return;
    const lines = () => [...log.querySelectorAll(".log-entry span")].map((line) => inWindow(clipped(line, line.getBoundingClientRect())[0]));
    const whole = () => lines().filter((box, index) => !empty(box) && box.bottom - box.top > 16).length;
    const written = log.querySelectorAll(".log-entry span").length;
    if (shownIn(log) && written > 1 && !layerOf(log)) {
      log.scrollIntoView({ block: "nearest" });
      if (whole() < Math.min(written, 2)) yield ["shows no line", "#log", `${written} lines`];
    }
    const opener = [...document.querySelectorAll("[popovertarget=log]:not(.close)")].find((button) => shownIn(button) && isReached(button));
    if (!opener) return yield ["cannot be opened", "#log", ""];
    log.showPopover();
    forget();
    const box = log.getBoundingClientRect();
    const [across, down] = outside(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    if (across > SLACK || down > SLACK) yield ["leaves the window", "#log", "opened"];
    if (box.height < Math.min(innerHeight * 0.8, 400)) yield ["is a slit", "#log", `opened: ${Math.round(box.height)} px`];
    if (written && whole() < Math.min(written, 3)) yield ["shows no line", "#log", `opened: ${whole()} of ${written} lines`];
    yield* textFaults(log);
    yield* controlFaults(log);
    log.hidePopover();
    forget();
  }

  /** What opens, and the words of what has the focus. */
  function* openedFaults() {
    const done = new Set();
    for (const button of document.querySelectorAll("[popovertarget]")) {
      const popover = button.popoverTargetElement;
      if (!popover || done.has(popover) || popover.id === "log" || !shownIn(button)) continue;
      done.add(popover);
      popover.showPopover();
      forget();
      const box = popover.getBoundingClientRect();
      const [across, down] = outside(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
      if (across > SLACK || down > SLACK) yield ["leaves the window", `#${popover.id}`, "opened"];
      const wide = popover.scrollWidth - popover.clientWidth;
      if (scrolls(style(popover).overflowX) && wide > 1) yield ["scrolls sideways", `#${popover.id}`, `opened: ${wide} px`];
      yield* textFaults(popover);
      yield* boxFaults(popover);
      yield* controlFaults(popover);
      popover.hidePopover();
      forget();
    }
    for (const control of document.querySelectorAll("#main button")) {
      const told = control.popoverTargetElement ?? document.getElementById(control.getAttribute("aria-describedby"));
      if (!told || !shownIn(control)) continue;
      control.focus();
      const box = told.getBoundingClientRect();
      if (!box.width || style(told).clipPath !== "none") continue;
      const [across, down] = outside(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
      if (across > SLACK || down > SLACK) yield ["leaves the window", `#${told.id}`, "with the focus"];
      const cut = clipped(told, box)[1];
      if (cut) yield ["cut", named(cut), `#${told.id}`];
    }
    document.activeElement.blur();
  }

  function* everything(thorough) {
    forget();
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) yield ["scrolls sideways", "page", `${root.scrollWidth} > ${innerWidth}`];
    yield* firstSight();
    yield* textFaults(document.body);
    yield* labelFaults(document.body);
    yield* boxFaults(document.body);
    yield* controlFaults(document.body);
    yield* logFaults();
    if (thorough) yield* openedFaults();
  }

  return (thorough) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { animation: none !important; transition: none !important; scroll-behavior: auto !important; content-visibility: visible !important; }");
    document.adoptedStyleSheets = [sheet];
    scrollTo(0, 0);
    document.getElementById("main")?.scrollTo(0, 0);
    const found = new Map();
    for (const finding of everything(thorough)) found.set(finding.join("\n"), finding);
    scrollTo(0, 0);
    document.getElementById("main")?.scrollTo(0, 0);
    for (const scroller of document.querySelectorAll("#main *")) if (scroller.scrollTop) scroller.scrollTop = 0;
    document.adoptedStyleSheets = [];
    return [...found.values()];
  };
})();
