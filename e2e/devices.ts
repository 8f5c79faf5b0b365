import { devices } from '@playwright/test';
import { isDeep } from './settings.ts';

const { defaultBrowserType: _, ...pixel7 } = devices['Pixel 7'] ?? {};

/** `mark` is part of the users' handles, so that the runs of a journey on both devices share no users. */
const desktop = {
  name: 'a desktop',
  mark: 'desk',
  isPhone: false,
  use: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
} as const;

export const phone = {
  name: 'a phone',
  mark: 'phone',
  isPhone: true,
  use: { ...pixel7, colorScheme: 'light' },
} as const;

/** The devices that a journey runs on: one of them in `npm test`, both in `npm run test:deep`. */
export const journeyDevices = (quick: 'desktop' | 'phone') => {
  if (isDeep) return [desktop, phone];
  return quick === 'desktop' ? [desktop] : [phone];
};
