// What `tests.soak.monkey` asks of a page.
"use strict";

window.monkey = (() => {
  const PATIENCE = 6000; // ms
  const SHARES = [0.5, 0.2, 0.8, 0.1, 0.9]; // of an element's width and height
  const scroller = () => document.getElementById("main") ?? document.documentElement;
  const opened = () => [...document.querySelectorAll(":popover-open")];
  const named = (element) => `${element.localName}#${element.id}.${element.getAttribute("class")}`;

  /** Where an element can be pressed; else what covers it, nothing if it is meant to be covered. */
  function spot(element) {
    if (!element.checkVisibility() || element.matches(".skip")) return "";
    let covers = "";
    for (const block of ["nearest", "center", "end", "start"]) {
      element.scrollIntoView({ block, behavior: "instant" });
      for (const { left, top, width, height } of element.getClientRects())
        for (const across of SHARES)
          for (const down of SHARES) {
            const [x, y] = [left + width * across, top + height * down];
            const found = document.elementFromPoint(x, y);
            if (found && (element.contains(found) || found.closest("label")?.control === element)) return [x, y];
            const opens = found?.closest(":popover-open") && !element.closest(":popover-open"); // a press closes what is open
            if (opens || found?.closest(".glide")) return "";
            covers ||= found ? `${named(found)} in #${found.closest("[id]")?.id}` : "the edge of the window";
          }
    }
    return covers;
  }

  /** What can be scrolled sideways. */
  function wide() {
    const scrolls = (box) => {
      const before = box.scrollLeft;
      box.scrollLeft = before + 40;
      const moved = box.scrollLeft !== before;
      box.scrollLeft = before;
      return moved;
    };
    return [...new Set([document.documentElement, scroller(), ...opened()])].filter(scrolls).map(named).join(", ");
  }

  /** How far the page is scrolled, and what that depends on. */
  const where = () => [scrollY + (scroller() === document.documentElement ? 0 : scroller().scrollTop), document.documentElement.scrollHeight, scroller().scrollHeight, innerWidth];

  /** Which table it is and what it says to whoever has chosen nothing yet; nothing elsewhere. */
  function shown() {
    const table = document.getElementById("table");
    if (!table || location.search || "past" in table.dataset || "trying" in table.dataset) return null;
    const said = ["bar", "main", "log", "agreement", "undo-question", "line"].map((id) => {
      const part = document.getElementById(id)?.cloneNode(true);
      part?.querySelector("#why")?.remove(); // said to whoever pressed
      return (part?.textContent ?? "").replace(/\s+/g, " ").trim();
    });
    return [location.pathname, table.dataset.version, ...said];
  }

  /** Whether it comes to hold, soon: a loaded machine draws late. */
  async function soon(holds) {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await new Promise((later) => setTimeout(later, 50))) if (holds()) return true;
    return false;
  }

  /** Whether what was asked is answered. */
  const idle = () => soon(() => !window.modules.socket || window.modules.socket.pending.size === 0);

  /** Whether something has the focus. */
  const focused = () => soon(() => document.activeElement !== document.body);

  return { spot, wide, where, shown, idle, focused };
})();
