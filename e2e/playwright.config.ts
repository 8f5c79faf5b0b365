import { defineConfig } from '@playwright/test';
import { root } from '#dev/settings.ts';
import { e2eSettings } from './settings.ts';

/** Journeys through the production build amid a local world of their own (other ports, other data than `npm start`). */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  webServer: {
    command: 'node dev/reset.mjs && exec node dev/start.ts',
    cwd: root,
    url: `${e2eSettings.productUrl}/api/callers?limit=1`,
    env: {
      PORT: String(e2eSettings.port),
      SOLANA_PORT: String(e2eSettings.solanaPort),
      STAND_INS_PORT: String(e2eSettings.standInsPort),
      SOLCALLERS_DATA: e2eSettings.dataDir,
    },
    timeout: 180_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
  outputDir: '../.cache/e2e',
  reporter: [['list'], ['json', { outputFile: '../.cache/test-reports/e2e.json' }]],
  forbidOnly: true,
  retries: 0,
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: e2eSettings.productUrl,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
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
