import { useEffect } from 'react';
import { documentTitle } from '#schema/rules/page-texts.ts';

/** Names the page in the tab and in the history: 'Recent Calls · SolCallers'. Titles stand in `schema/rules/page-texts.ts`. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = documentTitle(title);
  }, [title]);
}
