import { useEffect } from 'react';
import { documentTitle } from '#schema/rules/page-texts.ts';

/** Sets the document title: 'Recent Calls · SolCallers'. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = documentTitle(title);
  }, [title]);
}
