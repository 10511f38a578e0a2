// @ts-check
/** Shares a page, with its picture if it has one, where the device can, else copies the link. */

const WIDTH = 1200; // px of the picture

/**
 * Share the link that a button names, and the picture if there is one; return whether the link was copied instead.
 * @param {HTMLElement} button
 */
export async function share(button) {
  const { share: picture = "", title = "", link: url = "" } = button.dataset;
  const said = { title, text: title, url };
  try {
    const file = picture ? await painted(picture).catch(() => null) : null;
    const whole = { ...said, files: file ? [file] : [] };
    if (file && navigator.canShare?.(whole)) await navigator.share(whole);
    else if (navigator.share) await navigator.share(said);
    else return await copied(url);
  } catch (error) {
    // Who closes the dialog wants nothing. Else the device refused: there is the link.
    if (!(error instanceof DOMException && error.name === "AbortError")) return await copied(url);
  }
  return false;
}

/**
 * Paint a drawing as a PNG.
 * @param {string} address
 */
async function painted(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.round((WIDTH * image.naturalHeight) / image.naturalWidth);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  /** @type {Blob | null} */
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return blob && new File([blob], "podium.png", { type: "image/png" });
}

/** @param {string} url */
async function copied(url) {
  try {
    await navigator.clipboard.writeText(url);
    return true;
  } catch {
    return false; // the clipboard API needs https: the link stands further below
  }
}
