import { attempt } from '../browser/page-storage.ts';

export const DRAFT_PREFIX = 'solcallers.draft.';
/** Stores drafts until the page is left, in case the browser refuses to store them. */
export const draftMemory = new Map<string, unknown>();

/** Removes this tab's drafts, so that the next person at this computer doesn't find them. */
export function dropAllDrafts(): void {
  draftMemory.clear();
  attempt(() => {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(DRAFT_PREFIX)) sessionStorage.removeItem(key);
    }
  });
}
