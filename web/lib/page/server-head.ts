/** Head tags that the server renders for the first page (worker/modules/public/pages/page-head.ts). */
const SERVER_RENDERED =
  'link[rel="canonical"], link[rel="alternate"], meta[name="robots"], meta[name="description"], meta[property^="og:"], meta[name^="twitter:"]';

/** Removes the first page's head tags. Otherwise a phone would share the previous page's canonical URL. */
export function removeServerHead(): void {
  for (const element of document.head.querySelectorAll(SERVER_RENDERED)) element.remove();
}
