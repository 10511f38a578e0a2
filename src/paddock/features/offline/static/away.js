// @ts-check
/** Without a network: the page that was asked for is loaded again when it is back, or by the button. */

addEventListener("online", () => location.reload());
document.querySelector("[data-again]")?.addEventListener("click", () => location.reload());
