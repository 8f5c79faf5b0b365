import { defineConfig } from '@playwright/test';
import { root } from '#dev/settings.ts';
import config from '../playwright.config.ts';

const { projects: _, ...shared } = config;

/** Takes screenshots of every screen in the local worlds of the browser tests. */
export default defineConfig({
  ...shared,
  testDir: '.',
  testMatch: 'take-pictures.ts',
  outputDir: `${root}/.cache/gallery-run`,
  reporter: 'list',
  timeout: 300_000,
  use: { ...config.use, screenshot: 'off' },
});
