// The installed site: pages come from the server, as ever, and while it is away one says so. What is pushed is shown.
const KEPT = "atoll-1";
const OFFLINE = "/offline";
const FILES = ["/static/offline.css", "/static/icon.svg"];

const keep = () => caches.open(KEPT).then((cache) => cache.addAll([OFFLINE, ...FILES]));

addEventListener("install", (event) => event.waitUntil(keep().then(() => skipWaiting())));

addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))));
  event.waitUntil(old);
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.method !== "GET") return;
  if (FILES.includes(pathname)) return event.respondWith(fetch(request).catch(() => caches.match(pathname)));
  if (request.mode !== "navigate") return;
  const answer = fetch(request);
  event.respondWith(answer.catch(() => caches.match(OFFLINE)));
  if (pathname === "/language") event.waitUntil(answer.then(keep, () => {})); // the kept page speaks the language, too
});

addEventListener("push", (event) => {
  const { title, body, url, topic } = event.data.json();
  const shown = registration.showNotification(title, { body, tag: topic, data: url, icon: "/static/icon-192.png" });
  event.waitUntil(Promise.all([shown, navigator.setAppBadge?.().catch(() => {})]));
});

addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(
    clients.matchAll({ type: "window", includeUncontrolled: true }).then((windows) => {
      const open = windows.find((found) => new URL(found.url).pathname === notification.data);
      return open ? open.focus() : clients.openWindow(notification.data);
    }),
  );
});

addEventListener("pushsubscriptionchange", (event) => {
  const subscription = event.newSubscription;
  if (!subscription) return;
  const body = new URLSearchParams({ subscription: JSON.stringify(subscription) });
  event.waitUntil(fetch("/telling/push", { method: "POST", body }));
});
