import { createContext, type ReactNode } from 'react';

/** Shown at the top of every open dialog, because the user can't reach anything outside of it. */
export const DialogNotice = createContext<ReactNode>(null);
