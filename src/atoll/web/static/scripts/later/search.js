// Search in a page of rules: matches are marked, and Enter goes to the next one.

const LEAST = 2; // characters from which there is something to look for

/** As one searches, whatever the case and accents; every letter stays where it is. */
const plain = (text) => text.replace(/\p{L}/gu, (letter) => {
  const bare = letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return bare.length === letter.length ? bare : letter;
});

export function prepareSearch() {
  const box = document.getElementById("rules-search");
  if (!box) return;
  const input = box.querySelector("input");
  const output = box.querySelector("output");
  const article = document.querySelector(".rules .prose");
  const contents = document.getElementById("contents");
  let marks = [];
  let at = -1;
  box.hidden = false;

  function clear() {
    for (const mark of article.querySelectorAll("mark.found")) {
      const parent = mark.parentNode;
      mark.replaceWith(...mark.childNodes);
      parent.normalize();
    }
    marks = [];
    at = -1;
  }

  function markIn(text, wanted) {
    const where = plain(text.data);
    for (let end = where.length, place; (place = where.lastIndexOf(wanted, end)) >= 0; end = place - 1) {
      const match = text.splitText(place);
      match.splitText(wanted.length);
      const mark = document.createElement("mark");
      mark.className = "found";
      match.replaceWith(mark);
      mark.append(match);
      if (!place) break;
    }
  }

  function search() {
    clear();
    const wanted = plain(input.value.trim());
    box.classList.toggle("searching", wanted.length >= LEAST);
    if (wanted.length < LEAST) return;
    const texts = [];
    const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const over = walker.currentNode.parentElement;
      if (!over.closest("svg, [aria-hidden], .unseen")) texts.push(walker.currentNode);
    }
    for (const text of texts) markIn(text, wanted);
    marks = [...article.querySelectorAll("mark.found")];
    go(0);
  }

  function go(to) {
    marks[at]?.classList.remove("now");
    at = marks.length ? (to + marks.length) % marks.length : -1;
    output.value = marks.length
      ? box.dataset.found.replace("{number}", at + 1).replace("{count}", marks.length)
      : box.dataset.none;
    marks[at]?.classList.add("now");
    marks[at]?.scrollIntoView({ block: "center" });
  }

  input.addEventListener("input", search);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && marks.length) go(event.shiftKey ? at - 1 : at + 1);
  });
  box.querySelector("#found-next").addEventListener("click", () => go(at + 1));
  box.querySelector("#found-before").addEventListener("click", () => go(at - 1));
  contents.addEventListener("click", (event) => {
    if (event.target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
  });
}
