// Drawings: the browser decodes a game's drawings while it is idle.
const DRAWINGS = 2; // drawings read at once
const HELD = 500; // ms until drawings are read again after a button was held down

/** Show all drawings of the game (web/pages/drawings.py) hidden once, so that none is decoded where it is first seen. */
export function readDrawings() {
  const sheet = [...document.styleSheets].find((sheet) => sheet.href?.includes("/drawings.css"));
  const names = sheet ? [...sheet.cssRules].map((rule) => /^\.(drawn-\S+)$/.exec(rule.selectorText)?.[1]).filter(Boolean) : [];
  const box = document.createElement("div");
  box.className = "unseen";
  box.ariaHidden = "true";
  document.body.prepend(box); // at the end it would make the page higher
  let held = false;
  document.addEventListener("pointerdown", () => (held = true));
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => (held = false));
  const read = () => {
    if (held) return setTimeout(read, HELD);
    for (const name of names.splice(0, DRAWINGS)) box.appendChild(document.createElement("i")).className = `drawn ${name}`;
    if (names.length) requestIdleCallback(read);
  };
  requestIdleCallback(read);
}
