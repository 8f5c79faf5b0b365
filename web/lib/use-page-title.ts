import { useEffect } from 'react';
import { documentTitle } from '#schema/rules/document-title.ts';
import { hydrateParts } from './page-hydration.ts';

/** Sets the document title: 'Recent Calls · SolCallers'. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = documentTitle(title);
    // Every page has a title, so its effect runs once the page is hydrated except for its parts.
    void hydrateParts();
  }, [title]);
}
