import { tabStorage } from '../browser/page-storage.ts';

export const DRAFT_PREFIX = 'solcallers.draft.';

/** Removes this tab's drafts, so that the next person at this computer doesn't find them. */
export function dropAllDrafts(): void {
  for (const key of tabStorage.keys()) if (key.startsWith(DRAFT_PREFIX)) tabStorage.setItem(key, null);
}
