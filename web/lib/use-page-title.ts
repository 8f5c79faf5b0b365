import { useEffect } from 'react';
import { PRODUCT_NAME } from '#schema/constants.ts';

/** Names the page in the tab and in the history: 'Recent Calls · SolCallers'. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title.includes(PRODUCT_NAME) ? title : `${title} · ${PRODUCT_NAME}`;
  }, [title]);
}
