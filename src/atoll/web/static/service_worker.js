// The service worker of the installed site: shows the offline page while the server is away, and push messages as
// notifications. All other pages come from the server.
const CACHE = "atoll-1";
const ROOT = new URL(".", location).pathname; // the path of the site, which may share its host name
const OFFLINE = `${ROOT}offline`;
const FILES = [`${ROOT}static/offline.css`, `${ROOT}static/icon.svg`];

const fill = () => caches.open(CACHE).then((cache) => cache.addAll([OFFLINE, ...FILES]));

addEventListener("install", (event) => event.waitUntil(fill().then(() => skipWaiting())));

addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))));
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
  if (pathname === `${ROOT}language`) event.waitUntil(answer.then(fill, () => {})); // the cached page has the new language
});

addEventListener("push", (event) => {
  const { title, body, url, topic } = event.data.json();
  const notice = registration.showNotification(title, { body, tag: topic, data: ROOT + url.slice(1), icon: `${ROOT}static/icon-192.png` });
  event.waitUntil(Promise.all([notice, navigator.setAppBadge?.().catch(() => {})]));
});

addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(
    clients.matchAll({ type: "window", includeUncontrolled: true }).then((windows) => {
      const open = windows.find((client) => new URL(client.url).pathname === notification.data);
      return open ? open.focus() : clients.openWindow(notification.data);
    }),
  );
});

addEventListener("pushsubscriptionchange", (event) => {
  const subscription = event.newSubscription;
  if (!subscription) return;
  const body = new URLSearchParams({ subscription: JSON.stringify(subscription) });
  event.waitUntil(fetch(`${ROOT}telling/push`, { method: "POST", body }));
});
