import { devices } from '@playwright/test';

const { defaultBrowserType: _, ...pixel7 } = devices['Pixel 7'] ?? {};

/** The devices on which every journey runs. `mark` keeps their people apart. */
export const journeyDevices = [
  {
    name: 'a desktop',
    mark: 'desk',
    isPhone: false,
    use: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  },
  { name: 'a phone', mark: 'phone', isPhone: true, use: { ...pixel7, colorScheme: 'light' } },
] as const;
