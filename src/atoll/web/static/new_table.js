// The form of a new table: "You" stands in one seat, so choosing it for another one swaps the two.
for (const form of document.querySelectorAll(".new-table")) {
  const seats = [...form.querySelectorAll(".seats select")];
  const before = new Map();
  const remember = () => seats.forEach((seat) => before.set(seat, seat.value));
  const guest = (seat) => seat.parentElement.querySelector(".guest");

  form.addEventListener("change", ({ target }) => {
    const other = target.value === "me" && seats.includes(target) && seats.find((seat) => seat !== target && seat.value === "me");
    if (other) {
      other.value = before.get(target);
      [guest(other).value, guest(target).value] = [guest(target).value, guest(other).value];
    }
    remember();
  });
  addEventListener("pageshow", remember); // a page from the history may be filled in
  remember();
}
