import { useEffect, useRef } from 'react';

/** Head tags that the server renders for the first page (worker/modules/public/pages/page-head.ts). */
const SERVER_RENDERED =
  'link[rel="canonical"], link[rel="alternate"], meta[name="robots"], meta[name="description"], meta[property^="og:"], meta[name^="twitter:"]';

/**
 * Removes the server-rendered head tags on client navigation. Otherwise a phone would share the previous
 * page's canonical URL.
 */
export function usePageHead(path: string | undefined): void {
  const first = useRef<string | undefined>(undefined);
  useEffect(() => {
    first.current ??= path;
    if (path === first.current) return;
    for (const element of document.head.querySelectorAll(SERVER_RENDERED)) element.remove();
  }, [path]);
}
