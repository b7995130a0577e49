// The page of notification settings: asks the browser for permission, and subscribes it to Web Push.
const note = document.getElementById("note");
const push = document.getElementById("push");

/** Say that the browser does not allow notifications. */
function refuse() {
  document.getElementById("note-refused").hidden = false;
  note.checked = false;
}

/** Whether this browser shows notifications of the site; asks for permission once. */
async function isAllowed() {
  return "Notification" in window && (await Notification.requestPermission()) === "granted";
}

/** A key as a push service takes it. */
function bytes(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** Subscribe this browser, and send the subscription to the server. */
async function subscribe() {
  if (!(await isAllowed())) return refuse();
  try {
    await navigator.serviceWorker.register(new URL("../service_worker.js", document.querySelector('link[rel="icon"]').href));
    const registration = await navigator.serviceWorker.ready;
    await (await registration.pushManager.getSubscription())?.unsubscribe(); // it may be of another key
    const key = bytes(push.dataset.key);
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const field = document.createElement("input");
    [field.type, field.name, field.value] = ["hidden", "subscription", JSON.stringify(subscription)];
    push.append(field);
    push.submit();
  } catch {
    document.getElementById("push-failed").hidden = false;
  }
}

/** Whether this browser takes Web Push from here. */
const canPush = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

note.addEventListener("change", async () => note.checked && !(await isAllowed()) && refuse());
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
