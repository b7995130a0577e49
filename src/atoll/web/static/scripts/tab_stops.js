// Tab stops: one in each group of buttons, whose other buttons the arrow keys reach.

/** The buttons of a group, without those of a group inside it. */
export function buttonsOf(group) {
  return [...group.querySelectorAll("button.press")].filter((button) => button.closest("[data-keys]") === group);
}

/** One tab stop in each group of buttons. */
export function rove(table, focused) {
  for (const group of table.querySelectorAll("[data-keys]")) {
    const buttons = buttonsOf(group);
    const focus = buttons.find((button) => button.id && button.id === focused?.id);
    const stop = focus ?? buttons.find((button) => button.matches(".asked")) ?? buttons[0];
    for (const button of buttons) {
      const index = button === stop ? "0" : "-1";
      if (button.getAttribute("tabindex") !== index) button.setAttribute("tabindex", index);
    }
  }
}
