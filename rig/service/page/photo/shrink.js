/** Photos from a phone made small enough for the rig, where the browser can decode them. */

const LONGEST_PX = 4096;
const MOST_BYTES = 11_500_000;
const MOST_PIXELS = 24_500_000;
const TAKEN = ["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif", "image/avif"];
const QUALITY = 0.92;

/** @typedef {[number, number]} Size width and height in pixels */

/**
 * The photo as it is if it will do, or else a smaller JPEG, with its sizes before and after. A
 * picture that this browser cannot decode (HEIC in most) goes as it is: the rig may know it.
 * @param {File} file
 * @returns {Promise<{blob: Blob, name: string, size: Size | null, sent: Size | null}>}
 */
export async function shrunk(file) {
  const name = file.name || "photo.jpg";
  const picture = await decoded(file);
  if (picture === null) return { blob: file, name, size: null, sent: null };
  const { naturalWidth: width, naturalHeight: height } = picture;
  /** @type {Size} */
  const size = [width, height];
  const asIs = { blob: file, name, size, sent: size };
  const fits = file.size <= MOST_BYTES && width * height <= MOST_PIXELS && TAKEN.includes(file.type);
  if (fits) return asIs;
  const scale = Math.min(1, LONGEST_PX / Math.max(width, height));
  /** @type {Size} */
  const sent = [Math.round(width * scale), Math.round(height * scale)];
  const blob = await redrawn(picture, sent);
  return blob ? { blob, name: name.replace(/\.\w+$/, "") + ".jpg", size, sent } : asIs;
}

/** @param {File} file @returns {Promise<HTMLImageElement | null>} turned as its EXIF says */
async function decoded(file) {
  const picture = new Image();
  const address = URL.createObjectURL(file);
  picture.src = address;
  try {
    await picture.decode();
    return picture;
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** @param {HTMLImageElement} picture @param {Size} size @returns {Promise<Blob | null>} */
function redrawn(picture, [width, height]) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d");
  if (!pen) return Promise.resolve(null);
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}
