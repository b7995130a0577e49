// Invitation: the buttons of the dialog that copy and share the table's address, and the switch that makes one.

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
}

/** Use the switch in the dialog, which then shows what the server made of it. */
async function flip(dialog, form) {
  const { done } = form.dataset;
  const button = form.querySelector("button");
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  let text = document.body.dataset.away;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { "Atoll-Fragment": "0" } });
    text = await answer.text();
    if (answer.ok) {
      const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("invite");
      morphdom(dialog, fresh, { childrenOnly: true });
      showButtons();
      text = done;
    }
  } catch {
    // the server is away
  }
  button.ariaBusy = null;
  say(text);
}

/** Let the buttons and the switch work. */
export function prepareInvitation() {
  showButtons();
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest?.("[data-copy], [data-share]");
    if (button?.dataset.copy) {
      await copy(document.getElementById(button.dataset.copy));
      say(button.dataset.copied);
    } else if (button) {
      const { share: url, title } = button.dataset;
      navigator.share({ url, title }).catch(() => {}); // who cancels knows
    }
  });
  const dialog = document.getElementById("invite");
  dialog?.addEventListener("submit", (event) => {
    event.preventDefault();
    flip(dialog, event.target);
  });
}
