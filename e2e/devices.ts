import { devices } from '@playwright/test';

const { defaultBrowserType: _, ...pixel7 } = devices['Pixel 7'] ?? {};

/** Each journey runs on both devices. `mark` makes the handles of their users different. */
export const journeyDevices = [
  {
    name: 'a desktop',
    mark: 'desk',
    isPhone: false,
    use: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  },
  { name: 'a phone', mark: 'phone', isPhone: true, use: { ...pixel7, colorScheme: 'light' } },
] as const;
