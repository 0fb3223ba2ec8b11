/** What makes the page an app: its worker, and photos that other programs shared with it. */

import { may } from "./rig.js";
import { upload } from "./photo/uploads.js";

const SHARED = "tacta-shared";

/** Only over HTTPS, or from this machine: elsewhere browsers have no such thing. */
export function install() {
  navigator.serviceWorker?.register("/sw.js").catch(() => {});
}

/** Photos that were shared with the page are sent, each once. */
export async function sendShared() {
  if (!may("player") || typeof caches === "undefined" || !(await caches.has(SHARED))) return;
  const kept = await caches.open(SHARED);
  for (const request of await kept.keys()) {
    const answer = await kept.match(request);
    await kept.delete(request);
    if (!answer) continue;
    const blob = await answer.blob();
    upload(new File([blob], decodeURIComponent(answer.headers.get("X-Name") ?? "photo.jpg"), { type: blob.type }));
  }
}
