import { defineConfig } from '@playwright/test';
import { root } from '#dev/settings.ts';
import config from '../playwright.config.ts';

/** Takes pictures of every screen in the browser tests' worlds. */
export default defineConfig({
  ...config,
  testDir: '.',
  testMatch: 'take-pictures.ts',
  outputDir: `${root}/.cache/gallery-run`,
  reporter: 'list',
  timeout: 300_000,
  use: { ...config.use, trace: 'off', screenshot: 'off' },
});
