// Clocks: counts down the time left; the server decides who is out of time.
import { live } from "../table.js";

const SOON = 20; // s that are left when a clock shows that it is urgent
const DAY = 86400;

const now = document.querySelector('meta[name="atoll-now"]'); // the server's clock
const ahead = now ? Date.now() / 1000 - Number(now.content) : 0;
const two = (number) => String(number).padStart(2, "0");

/** Seconds as the server writes them (`web/pages/clocks.py`). */
function clockText(left) {
  if (left >= Number(now.dataset.long)) return `${Math.floor(left / 3600)} h`;
  const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** Show what is left now. */
function tick() {
  for (const clock of live().querySelectorAll(".clock[data-due]")) {
    const left = Math.max(0, Math.floor(Number(clock.dataset.due) + ahead - Date.now() / 1000));
    if (left >= DAY) continue;
    const text = clock.querySelector(".time-left");
    if (text.textContent !== clockText(left)) text.textContent = clockText(left);
    clock.classList.toggle("soon", left < SOON);
  }
}

/** Count down while the page is open. */
export function countDown() {
  if (!now) return;
  tick();
  setInterval(tick, 250);
}
