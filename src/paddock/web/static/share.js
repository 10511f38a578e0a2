// @ts-check
/** Copies a link, or shares a page with its picture where the device can. Loaded by the first press of such a button. */

import { announce } from "./state.js";

const WIDTH = 1200; // px of the picture

/**
 * Do what a button is for: copy the link of a field, or share the link and the picture that it names.
 * @param {HTMLElement} button
 */
export async function share(button) {
  const field = /** @type {HTMLInputElement | HTMLTextAreaElement | null} */ (document.getElementById(button.dataset.copy ?? ""));
  if (field ? await copy(field) : await offer(button)) copied(button);
}

/**
 * Copy the text of a field.
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 */
async function copy(field) {
  field.select();
  if (!(await write(field.value))) document.execCommand("copy"); // the clipboard API needs https
  return true;
}

/**
 * Share what a button names; return whether the link was copied instead.
 * @param {HTMLElement} button
 */
async function offer(button) {
  const { share: picture = "", title = "", link: url = "" } = button.dataset;
  const said = { title, text: title, url };
  try {
    const file = picture ? await painted(picture).catch(() => null) : null;
    const whole = { ...said, files: file ? [file] : [] };
    if (file && navigator.canShare?.(whole)) await navigator.share(whole);
    else if (navigator.share) await navigator.share(said);
    else return await copyInstead(url);
  } catch (error) {
    // Who closes the dialog wants nothing. Else the device refused: there is the link.
    if (!(error instanceof DOMException && error.name === "AbortError")) return await copyInstead(url);
  }
  return false;
}

/**
 * Copy the link instead; if that is impossible, lead to the field with the link.
 * @param {string} url
 */
async function copyInstead(url) {
  const done = await write(url);
  if (!done) document.getElementById("share")?.focus();
  return done;
}

/**
 * Say for a moment on a button that the link is copied.
 * @param {HTMLElement} button
 */
function copied(button) {
  const before = button.textContent;
  if (before === button.dataset.copied) return;
  button.textContent = button.dataset.copied ?? "";
  announce(button.textContent);
  setTimeout(() => (button.textContent = before), 2000);
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

/**
 * Write a text to the clipboard; return whether that is possible.
 * @param {string} text
 */
async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // the clipboard API needs https
  }
}
