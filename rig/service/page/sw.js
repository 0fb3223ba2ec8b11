/**
 * The page where the rig cannot be reached, and photos from another program's share sheet. Browsers
 * run this only where the page came over HTTPS, or from this machine.
 *
 * The rig is always asked first, so that an older page is shown only where it does not answer.
 */

const KEPT = "tacta-page";
const SHARED = "tacta-shared";
const FILES = [
  "app.js",
  "backups-panel.js",
  "blurring-panel.js",
  "brokers.js",
  "card-panel.js",
  "cards.js",
  "changes-panel.js",
  "charts.js",
  "check-panel.js",
  "deck-panel.js",
  "dom.js",
  "fingers.js",
  "history-view.js",
  "home-view.js",
  "icon.svg",
  "install.js",
  "lens-drawing.js",
  "lens-view.js",
  "lens.js",
  "live.js",
  "manifest.webmanifest",
  "match-changes.js",
  "match-view.js",
  "new-match.js",
  "outcomes.js",
  "overlay.js",
  "pair-view.js",
  "photo-view.js",
  "photos-view.js",
  "places.js",
  "rig-view.js",
  "rig.js",
  "round-ending.js",
  "score-panel.js",
  "scores.js",
  "send.js",
  "setup-view.js",
  "shrink.js",
  "signing.js",
  "statistics-view.js",
  "style.css",
  "tokens.js",
  "told.js",
  "uploads.js",
  "webhooks.js",
  "words-en.js",
  "words-fr.js",
  "words.js",
  "zoom.js",
  ""
].map((name) => `/${name}`);

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || pathname.startsWith("/api/")) return;
  if (request.method === "POST" && pathname === "/share") event.respondWith(takeShared(request));
  else if (request.method === "GET") event.respondWith(fresh(request, pathname));
});

/** @param {Request} request @param {string} pathname */
async function fresh(request, pathname) {
  const kept = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok && FILES.includes(pathname)) await kept.put(pathname, answer.clone());
    return answer;
  } catch (error) {
    const older = await kept.match(pathname);
    if (older) return older;
    throw error;
  }
}

/** Keep the photos for the page, which sends them with its own cookie. @param {Request} request */
async function takeShared(request) {
  const kept = await caches.open(SHARED);
  const form = await request.formData();
  const photos = form.getAll("photo").filter((one) => one instanceof File);
  await Promise.all(photos.map((photo, at) => kept.put(`/shared/${Date.now()}-${at}`, new Response(/** @type {File} */ (photo), {
    headers: { "Content-Type": /** @type {File} */ (photo).type, "X-Name": encodeURIComponent(/** @type {File} */ (photo).name) } }))));
  return Response.redirect("/#/photos", 303);
}
