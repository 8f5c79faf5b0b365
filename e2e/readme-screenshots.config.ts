import { defineConfig } from '@playwright/test';
import { root } from '#dev/settings.ts';
import config from './playwright.config.ts';

const { projects: _, ...shared } = config;

/** Takes the README's images in the local environments of the browser tests. */
export default defineConfig({
  ...shared,
  testMatch: 'readme-screenshots.ts',
  outputDir: `${root}/.cache/readme-pictures`,
  reporter: 'list',
  use: { ...config.use, screenshot: 'off' },
});
