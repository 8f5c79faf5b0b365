import { defineConfig } from '@playwright/test';
import gallery from './playwright.config.ts';

/** Takes the README's pictures. */
export default defineConfig({ ...gallery, testMatch: 'readme-pictures.ts' });
