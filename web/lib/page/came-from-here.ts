/** True if Back leads to another page of ours, even if a link loaded this one because the app hadn't started yet. */
export function cameFromHere(): boolean {
  return window.history.length > 1 && document.referrer.startsWith(`${window.location.origin}/`);
}
