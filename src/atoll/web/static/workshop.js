// The page of a component set: links and forms with data-stay update it in place, a running comparison is polled, and played
// where this browser can.
const POLL = 1000; // ms between two requests for the progress of a comparison

async function show(response) {
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("workshop");
  if (!fresh && !response.ok) throw new Error(`${response.status}`); // its page is shown by sending the form as without scripts
  if (!fresh || !/\/workshop\/[^/]+$/.test(new URL(response.url).pathname) && response.ok) return (location.href = response.url);
  const focused = document.activeElement?.id;
  morphdom(document.getElementById("workshop"), fresh, {
    onBeforeElUpdated: (from, to) => !(from.isEqualNode(to) && (!("value" in from) || from.closest(".ws-play, .ws-ask"))),
  });
  for (const select of document.querySelectorAll(".ws-ask select")) if (select.selectedIndex < 0) select.selectedIndex = 0; // as versions are added
  if (response.ok) history.replaceState(null, "", response.url);
  const invalid = document.querySelector("[aria-invalid]");
  const open = document.querySelector(".ws-edit.open");
  const target = invalid ?? document.getElementById(focused) ?? null;
  if (target) target.focus({ preventScroll: !invalid });
  else if (location.hash && document.querySelector(location.hash))
    (open?.querySelector("input:not([type=hidden]), select") ?? document.querySelector(`${location.hash} a`))?.focus({ preventScroll: true });
  follow();
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[data-stay]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const hash = new URL(link.href).hash;
  try {
    await show(await fetch(link.href));
    history.replaceState(null, "", link.href);
    const entry = document.querySelector(hash);
    (entry?.querySelector("form input:not([type=hidden]), form select, a"))?.focus();
    entry?.scrollIntoView({ block: "nearest" });
  } catch {
    location.href = link.href;
  }
});

/** Whether something was typed into the open entry's form that is not applied yet. */
const isTyped = (form) =>
  [...(form?.elements ?? [])].some((field) =>
    field.name.startsWith("v:") && (field.options ? !field.selectedOptions[0]?.defaultSelected : field.value !== field.defaultValue),
  );

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("#workshop form");
  const open = document.querySelector(".ws-edit.open form");
  const typed = form !== open && isTyped(open);
  if (!form || (!typed && !("stay" in form.dataset))) return;
  event.preventDefault();
  if (form.ariaBusy === "true") return; // a second click would be refused, since the set has changed
  form.ariaBusy = "true";
  const body = new URLSearchParams(new FormData(form, event.submitter));
  if ("plays" in form.dataset && globalThis.WebAssembly && globalThis.Worker && globalThis.CompressionStream) body.set("here", "yes");
  try {
    if (typed) {
      const applied = await fetch(open.action, { method: "POST", body: new URLSearchParams(new FormData(open, open.querySelector("[name=do]"))) });
      await show(applied);
      form.ariaBusy = null;
      if (applied.ok) form.requestSubmit(event.submitter);
      return;
    }
    if (body.has("here")) sessionStorage.plays = `${new URL(document.getElementById("ws-ask").action).pathname}/games`;
    await show(await fetch(form.action, { method: "POST", body }));
    form.ariaBusy = null;
  } catch {
    form.removeAttribute("data-stay");
    form.requestSubmit(event.submitter);
  }
});

let playing = false;
/** Play the running comparison, if that is for the browser to do: in the page that asked for it alone, reloaded or not. */
async function play({ games }) {
  if (!games || playing || sessionStorage.plays !== games) return;
  playing = true;
  try {
    await (await import(document.getElementById("ws-ask").dataset.player)).play(games);
  } catch {
    // once nothing was heard for a while, the server plays it
  }
  playing = false;
}

let timer = 0;
/** Poll the running comparison, if there is one, and show its progress or results. */
function follow() {
  clearTimeout(timer);
  const trial = document.querySelector("#trial[data-running]");
  if (!trial) return;
  play(trial.dataset);
  timer = setTimeout(async () => {
    try {
      const html = await (await fetch(location.pathname)).text();
      const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("trial");
      if (fresh) morphdom(document.getElementById("trial"), fresh);
    } catch {
      // the server is away: look again
    }
    follow();
  }, POLL);
}
follow();
