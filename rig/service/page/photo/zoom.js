/** A picture under the fingers: pinch, pan, double tap, wheel and keys. */

const FARTHEST = 14;
const DOUBLE_MS = 280;
const TAP_PX = 12;
const KEY_STEP_PX = 60;

/** @typedef {{x: number, y: number}} Finger */

export class Zoom {
  /**
   * @param {HTMLElement} stage what is looked through
   * @param {HTMLElement} content what moves; its size is the picture's
   * @param {(at: [number, number]) => void} onTap a place in the picture
   */
  constructor(stage, content, onTap) {
    this.stage = stage;
    this.content = content;
    this.onTap = onTap;
    this.size = [1, 1];
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    /** @type {Map<number, Finger>} */
    this.fingers = new Map();
    this.moved = 0;
    this.wasPinch = false;
    this.lastTap = 0;
    this.tapping = 0;
    stage.addEventListener("pointerdown", (event) => this.down(event));
    stage.addEventListener("pointermove", (event) => this.move(event));
    stage.addEventListener("pointerup", (event) => this.up(event));
    stage.addEventListener("pointercancel", (event) => this.up(event, true));
    stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    stage.addEventListener("keydown", (event) => this.key(event));
    this.watching = new ResizeObserver(() => this.resized());
    this.watching.observe(stage);
  }

  close() {
    this.watching.disconnect();
    clearTimeout(this.tapping);
  }

  /** @param {number} width @param {number} height of the picture, in its pixels */
  show(width, height) {
    this.size = [width, height];
    this.content.style.width = `${width}px`;
    this.content.style.height = `${height}px`;
    this.fit();
  }

  get smallest() {
    return Math.min(this.stage.clientWidth / this.size[0], this.stage.clientHeight / this.size[1]);
  }

  fit() {
    this.scale = this.smallest;
    this.place();
  }

  resized() {
    if (!this.stage.clientWidth) return;
    if (this.scale <= this.smallest || this.wasFitted) this.fit();
    else this.place();
  }

  /** Put the picture there, never farther out than it fits, never out of sight. */
  place(glide = false) {
    const least = this.smallest;
    this.scale = Math.min(Math.max(this.scale, least), least * FARTHEST);
    this.wasFitted = this.scale === least;
    const [width, height] = this.size;
    const within = (/** @type {number} */ at, /** @type {number} */ room, /** @type {number} */ length) =>
      length <= room ? (room - length) / 2 : Math.min(0, Math.max(room - length, at));
    this.x = within(this.x, this.stage.clientWidth, width * this.scale);
    this.y = within(this.y, this.stage.clientHeight, height * this.scale);
    this.content.classList.toggle("glides", glide);
    this.content.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    this.content.style.setProperty("--px", String(1 / this.scale));
  }

  /** @param {number} clientX @param {number} clientY @returns {[number, number]} in the picture */
  at(clientX, clientY) {
    const box = this.stage.getBoundingClientRect();
    return [(clientX - box.left - this.x) / this.scale, (clientY - box.top - this.y) / this.scale];
  }

  /** Nearer by this factor; what is under (clientX, clientY) stays there. */
  nearer(/** @type {number} */ factor, /** @type {number} */ clientX, /** @type {number} */ clientY, glide = false) {
    const box = this.stage.getBoundingClientRect();
    const [px, py] = this.at(clientX, clientY);
    const least = this.smallest;
    this.scale = Math.min(Math.max(this.scale * factor, least), least * FARTHEST);
    this.x = clientX - box.left - px * this.scale;
    this.y = clientY - box.top - py * this.scale;
    this.place(glide);
  }

  /**
   * Bring a place to the middle, so that this many of the picture's pixels fit in.
   * @param {[number, number]} point
   * @param {number} across
   */
  flyTo([px, py], across) {
    const { clientWidth: width, clientHeight: height } = this.stage;
    this.scale = Math.min(width, height) / across;
    this.scale = Math.min(Math.max(this.scale, this.smallest), this.smallest * FARTHEST);
    this.x = width / 2 - px * this.scale;
    this.y = height / 2 - py * this.scale;
    this.place(true);
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (/** @type {Element} */ (event.target).closest("button")) return;
    this.stage.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.fingers.size === 1) {
      this.moved = 0;
      this.wasPinch = false;
    } else this.wasPinch = true;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    this.moved += Math.hypot(dx, dy);
    if (this.fingers.size === 1) {
      if (this.moved >= TAP_PX || event.pointerType === "mouse") {
        this.x += dx;
        this.y += dy;
      }
    } else {
      const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) this.pinch(finger, event, other);
    }
    finger.x = event.clientX;
    finger.y = event.clientY;
    this.place();
  }

  /** @param {Finger} from @param {PointerEvent} to @param {Finger} other */
  pinch(from, to, other) {
    const before = Math.hypot(from.x - other.x, from.y - other.y) || 1;
    const after = Math.hypot(to.clientX - other.x, to.clientY - other.y);
    this.nearer(after / before, (from.x + other.x) / 2, (from.y + other.y) / 2);
    this.x += (to.clientX - from.x) / 2;
    this.y += (to.clientY - from.y) / 2;
  }

  /** @param {PointerEvent} event */
  up(event, cancelled = false) {
    if (!this.fingers.delete(event.pointerId)) return;
    if (cancelled || this.wasPinch || this.moved >= TAP_PX || this.fingers.size) return;
    clearTimeout(this.tapping);
    if (event.timeStamp - this.lastTap < DOUBLE_MS) {
      this.lastTap = 0;
      const isNear = this.scale > this.smallest * 1.5;
      this.nearer(isNear ? 0.001 : 4, event.clientX, event.clientY, true);
      return;
    }
    this.lastTap = event.timeStamp;
    const at = this.at(event.clientX, event.clientY);
    this.tapping = setTimeout(() => this.onTap(at), DOUBLE_MS);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    this.nearer(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const box = this.stage.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (event.key === "+" || event.key === "=") this.nearer(1.4, x, y, true);
    else if (event.key === "-") this.nearer(1 / 1.4, x, y, true);
    else if (event.key === "0") this.fit();
    else if (event.key === "Enter" && event.target === this.stage) this.onTap(this.at(x, y));
    else if (event.key === "ArrowLeft") this.x += KEY_STEP_PX;
    else if (event.key === "ArrowRight") this.x -= KEY_STEP_PX;
    else if (event.key === "ArrowUp") this.y += KEY_STEP_PX;
    else if (event.key === "ArrowDown") this.y -= KEY_STEP_PX;
    else return;
    event.preventDefault();
    this.place(event.key !== "0");
  }
}
