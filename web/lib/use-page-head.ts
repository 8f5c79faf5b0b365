import { useEffect, useRef } from 'react';

/** What the server writes into the head of the page that it answers with (worker/modules/pages/page-head.ts). */
const OF_ONE_PAGE =
  'link[rel="canonical"], meta[name="robots"], meta[name="description"], meta[property^="og:"], meta[name^="twitter:"]';

/** Takes what the server said of the first page out of the head once another one is reached: a phone shares a page by its canonical address. */
export function usePageHead(path: string | undefined): void {
  const first = useRef<string | undefined>(undefined);
  useEffect(() => {
    first.current ??= path;
    if (path === first.current) return;
    for (const element of document.head.querySelectorAll(OF_ONE_PAGE)) element.remove();
  }, [path]);
}
