// Where a table is made, "You" stands in one seat: who takes another one changes places with whoever sat there.
for (const form of document.querySelectorAll(".new-table")) {
  const seats = [...form.querySelectorAll(".seats select")];
  const sat = new Map();
  const remember = () => seats.forEach((seat) => sat.set(seat, seat.value));
  const guest = (seat) => seat.parentElement.querySelector(".guest");

  form.addEventListener("change", ({ target }) => {
    const left = target.value === "me" && seats.includes(target) && seats.find((seat) => seat !== target && seat.value === "me");
    if (left) {
      left.value = sat.get(target);
      [guest(left).value, guest(target).value] = [guest(target).value, guest(left).value];
    }
    remember();
  });
  addEventListener("pageshow", remember); // a page that one comes back to may be filled in
  remember();
}
