import { defineConfig } from '@playwright/test';
import { root } from '#dev/settings.ts';
import { isDeep, e2eSettings, ENVIRONMENTS } from './settings.ts';

const DEEP = '**/*.deep.spec.ts';
/** The longest tests start first. Otherwise a worker could wait for a long test at the end. */
const LONGEST = [
  'telegram-chats',
  'main-job',
  'telegram',
  'payments',
  'verify',
  'live',
  'share',
  'keyboard',
  'operators',
].map((name) => `**/${name}.spec.ts`);

/** Runs the browser tests against the production build. Each worker has its own local environment. */
export default defineConfig({
  testDir: '.',
  projects: [
    { name: 'longest', testMatch: LONGEST },
    { name: 'others', testMatch: '**/*.spec.ts', testIgnore: isDeep ? LONGEST : [...LONGEST, DEEP] },
  ],
  webServer: {
    command: 'exec node e2e/start-environments.ts',
    cwd: root,
    wait: { stdout: /All worlds are ready/ },
    timeout: 600_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
  outputDir: '../.cache/e2e',
  reporter: [['list'], ['json', { outputFile: '../.cache/test-reports/e2e.json' }]],
  forbidOnly: true,
  retries: 0,
  workers: ENVIRONMENTS,
  fullyParallel: true,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: e2eSettings.productUrl,
    screenshot: 'only-on-failure',
    // Chromium and its headless shell have different defaults. All other permissions are denied.
    permissions: ['clipboard-write'],
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
