/** True if Back leads to another page of this site, also after a full page load by a link. */
export function cameFromHere(): boolean {
  return window.history.length > 1 && document.referrer.startsWith(`${window.location.origin}/`);
}
