// Invitation: the buttons of the dialog that copy and share the table's address, the picture of the end, and the switch
// that makes an address.

/** Put a field's text on the clipboard, which browsers give to secure pages alone; else copy it as one does by hand. */
async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    document.execCommand("copy");
  }
}

const say = (text) => (document.getElementById("invite-said").textContent = text);

/** Show the buttons that work here. */
function showButtons() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
  const picture = document.getElementById("save-picture");
  if (picture) picture.hidden = false;
}

/** Draw the end of the game, and keep it as a file or, on a phone, hand it on. */
async function savePicture(button) {
  const { picture, name, busy, failed } = button.dataset;
  say(busy);
  try {
    const { pictureOf } = await import("./picture.js");
    const file = new File([await pictureOf(picture)], `${name}.png`, { type: "image/png" });
    if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
      await navigator.share({ files: [file], title: name }).catch(() => {}); // who cancels knows
    } else {
      const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    }
    say("");
  } catch {
    say(failed);
  }
}

/** Use the switch in a part of the page, which then shows what the server made of it. */
async function flip(part, form) {
  const { done } = form.dataset;
  const button = form.querySelector("button");
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  let text = document.body.dataset.away;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { "Atoll-Fragment": "0" } });
    text = await answer.text();
    if (answer.ok) {
      fill(part, text);
      text = done;
    }
  } catch {
    // the server is away
  }
  button.ariaBusy = null;
  say(text);
}

/** Show a fresh invitation in a part of the page, below the heading that it has. */
function fill(part, html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("invite");
  const head = fresh.querySelector(".log-head");
  if (part.id === "room-invite") head.replaceWith(part.querySelector("h2").cloneNode(true));
  const focused = part.contains(document.activeElement) && document.activeElement.id;
  morphdom(part, fresh, { childrenOnly: true });
  showButtons();
  if (focused) document.getElementById(focused)?.focus(); // what comes before it may be new
}

let isPrepared = false;

/** Let the buttons and the switch work. */
export async function prepareInvitation() {
  const dialog = document.getElementById("invite");
  const hasEnded = Boolean(document.getElementById("look-back")); // since the dialog was made
  if (dialog && (!dialog.firstElementChild || hasEnded !== "ended" in dialog.dataset) && !document.getElementById("room-invite")) {
    const answer = await fetch(dialog.dataset.url, { headers: { "Atoll-Fragment": "0" } });
    if (answer.ok) fill(dialog, await answer.text());
    if (hasEnded) dialog.dataset.ended = "";
  }
  showButtons();
  if (isPrepared) return;
  isPrepared = true;
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest?.("[data-copy], [data-share], [data-picture]");
    if (button?.dataset.picture) {
      await savePicture(button);
    } else if (button?.dataset.copy) {
      await copy(document.getElementById(button.dataset.copy));
      say(button.dataset.copied);
    } else if (button) {
      const { share: url, title } = button.dataset;
      navigator.share({ url, title }).catch(() => {}); // who cancels knows
    }
  });
  document.addEventListener("submit", (event) => {
    const part = event.target.closest("#invite, #room-invite");
    if (!part) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // it changes nothing at the table
    flip(part, event.target);
  }, true);
}
