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
  "cards.js",
  "dom.js",
  "fingers.js",
  "game/asks.js",
  "game/coach.js",
  "game/correcting.js",
  "game/ended.js",
  "game/events.js",
  "game/game-view.js",
  "game/game.css",
  "game/history.js",
  "game/laid-card.js",
  "game/on-home.js",
  "game/plan.js",
  "game/replay-view.js",
  "game/settings.js",
  "game/signals.js",
  "game/standing.js",
  "game/turn-clock.js",
  "game/verdict.js",
  "home-view.js",
  "icon.svg",
  "install.js",
  "live.js",
  "manifest.webmanifest",
  "match/charts.js",
  "match/history-view.js",
  "match/match-changes.js",
  "match/match-view.js",
  "match/new-match.js",
  "match/round-ending.js",
  "match/scores.js",
  "match/signing.js",
  "match/statistics-view.js",
  "photo/card-panel.js",
  "photo/changes-panel.js",
  "photo/check-panel.js",
  "photo/outcomes.js",
  "photo/overlay.js",
  "photo/photo-view.js",
  "photo/photos-view.js",
  "photo/places.js",
  "photo/score-panel.js",
  "photo/send.js",
  "photo/shrink.js",
  "photo/together.js",
  "photo/uploads.js",
  "photo/zoom.js",
  "rig.js",
  "settings/asks.js",
  "settings/backups-panel.js",
  "settings/blurring-panel.js",
  "settings/brokers.js",
  "settings/deck-panel.js",
  "settings/invitations.js",
  "settings/lens-drawing.js",
  "settings/lens-view.js",
  "settings/lens.js",
  "settings/pair-view.js",
  "settings/rig-view.js",
  "settings/setup-view.js",
  "settings/tokens.js",
  "settings/webhooks.js",
  "style.css",
  "told.js",
  "words.js",
  "words/en.json",
  "words/fr.json",
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
