// Invitation: the buttons of the dialog that copy and share the table's address.

/** Put a field's text on the clipboard, which browsers give to secure pages alone; else copy it as one does by hand. */
async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    document.execCommand("copy");
  }
}

/** Show the buttons that work here. */
export function prepareInvitation() {
  const status = document.getElementById("invite-said");
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await copy(document.getElementById(button.dataset.copy));
      status.textContent = button.dataset.copied;
    });
  }
  for (const button of document.querySelectorAll("[data-share]")) {
    button.hidden = !navigator.share;
    const { share: url, title } = button.dataset;
    button.addEventListener("click", () => navigator.share({ url, title }).catch(() => {})); // who cancels knows
  }
}
