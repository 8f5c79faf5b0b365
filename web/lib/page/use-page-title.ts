import { useEffect } from 'react';
import { documentTitle } from '#schema/rules/text/document-title.ts';

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = documentTitle(title);
  }, [title]);
}
