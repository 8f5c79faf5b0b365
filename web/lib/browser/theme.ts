import { useSyncExternalStore } from 'react';
import { attempt, pageStorage } from './page-storage.ts';

/** 'system' follows the device. */
export type Theme = 'system' | 'light' | 'dark';

const STORAGE_KEY = 'theme';
const listeners = new Set<() => void>();

/** The current theme and its setter. public/early.js applies the stored choice on the next load. */
export function useTheme() {
  return { theme: useSyncExternalStore(subscribe, readTheme, () => 'system' as const), setTheme };
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', followOtherTab);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', followOtherTab);
  };
}

/** Applies a choice made in another tab. */
function followOtherTab({ key, newValue }: StorageEvent): void {
  if (key === STORAGE_KEY) show(newValue === 'light' || newValue === 'dark' ? newValue : 'system');
}

function readTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  for (const notify of listeners) notify();
}

function setTheme(theme: Theme): void {
  show(theme);
  // If storage is blocked, the choice lasts until the page is left.
  if (theme === 'system') attempt(() => pageStorage.removeItem(STORAGE_KEY));
  else attempt(() => pageStorage.setItem(STORAGE_KEY, theme));
}
