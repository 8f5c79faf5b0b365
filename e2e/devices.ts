import { devices } from '@playwright/test';

const { defaultBrowserType: _, ...pixel7 } = devices['Pixel 7'] ?? {};

/**
 * The devices that each journey runs on. `mark` is part of the users' handles, so the runs share no users.
 */
export const journeyDevices = [
  {
    name: 'a desktop',
    mark: 'desk',
    isPhone: false,
    use: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  },
  { name: 'a phone', mark: 'phone', isPhone: true, use: { ...pixel7, colorScheme: 'light' } },
] as const;
