// The page about being told: asks the browser for what only it can give, and subscribes it to Web Push.
const note = document.getElementById("note");
const push = document.getElementById("push");

/** Say why a browser gives no notifications. */
function refuse() {
  document.getElementById("note-refused").hidden = false;
  note.checked = false;
}

/** Whether this browser shows notifications of the site; it is asked once. */
async function allowed() {
  return "Notification" in window && (await Notification.requestPermission()) === "granted";
}

/** A key as a push service takes it. */
function bytes(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** Subscribe this browser, and give the server what it needs to tell it. */
async function subscribe() {
  if (!(await allowed())) return refuse();
  try {
    await navigator.serviceWorker.register("/service_worker.js");
    const registration = await navigator.serviceWorker.ready;
    await (await registration.pushManager.getSubscription())?.unsubscribe(); // it may be of another key
    const key = bytes(push.dataset.key);
    const found = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const field = document.createElement("input");
    [field.type, field.name, field.value] = ["hidden", "subscription", JSON.stringify(found)];
    push.append(field);
    push.submit();
  } catch {
    document.getElementById("push-failed").hidden = false;
  }
}

/** Whether this browser takes Web Push from here. */
const canPush = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

note.addEventListener("change", async () => note.checked && !(await allowed()) && refuse());
if (push && !("on" in push.dataset)) {
  document.getElementById(canPush ? "push-on" : "push-missing").hidden = false;
  push.addEventListener("submit", (event) => {
    event.preventDefault();
    subscribe();
  });
} else if (push) {
  push.addEventListener("submit", async (event) => {
    event.preventDefault();
    const registration = await navigator.serviceWorker?.getRegistration();
    await (await registration?.pushManager?.getSubscription())?.unsubscribe();
    push.submit();
  });
}
