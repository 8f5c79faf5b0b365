import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { DRAFT_PREFIX } from './drop-drafts.ts';
import { attempt, tabStorage } from '../browser/page-storage.ts';

function readDraft(key: string): unknown {
  return attempt((): unknown => JSON.parse(tabStorage.getItem(DRAFT_PREFIX + key) ?? 'null')) ?? null;
}

const hasTypeOf = <Value>(initial: Value, saved: unknown): saved is Value =>
  saved !== null && typeof saved === typeof initial;

/** Handles drafts from an older version of the app: adds missing fields, and drops drafts of another type. */
function restore<Value>(saved: unknown, initial: Value): Value | null {
  if (!hasTypeOf(initial, saved)) return null;
  return typeof initial === 'object' ? { ...initial, ...saved } : saved;
}

export interface Draft<Value> {
  readonly value: Value;
  readonly change: (next: Value) => void;
  /** Deletes the draft. Call it after saving or cancelling, and unmount the component. */
  readonly drop: () => void;
  /** True if the value was typed before this component appeared. */
  readonly isRestored: boolean;
}

/**
 * Works like `useState`, but preserves the value when the dialog closes, the page reloads or the user signs
 * in again. Each user has their own drafts.
 * @param options with `isFresh`, starts with `initial` even if there is a draft
 */
export function useDraft<Value>(
  name: string,
  initial: Value,
  { isFresh = false }: { readonly isFresh?: boolean } = {},
): Draft<Value> {
  const [key] = useState(useKeyOf(name));
  const [restored] = useState(() => (isFresh ? null : restore(readDraft(key), initial)));
  const [value, setValue] = useState(restored ?? initial);
  return {
    value,
    change(next) {
      setValue(next);
      tabStorage.setItem(DRAFT_PREFIX + key, JSON.stringify(next));
    },
    drop: () => tabStorage.setItem(DRAFT_PREFIX + key, null),
    isRestored: restored !== null,
  };
}

/** True if the signed-in user has a draft. Doesn't rerender when a draft is made later. */
export function useHasDraft(name: string): boolean {
  return readDraft(useKeyOf(name)) !== null;
}

function useKeyOf(name: string): string {
  const user = useQueryClient().getQueryData(currentUserQuery.queryKey);
  return `${user?.id ?? ''}.${name}`;
}
