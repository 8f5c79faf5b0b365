import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type Browser, type Page } from '@playwright/test';
import { root } from '#dev/settings.ts';
import { closeScreen, openScreen, overlays, pages, waitForPage, type Screen } from '../screens.ts';
import { presetAutoApprove, signInByScript } from '../steps.ts';
import { contactSheet, type Picture } from './contact-sheet.ts';

const folder = join(root, '.cache/gallery');
const sizes = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const;
const themes = ['dark', 'light'] as const;
/** The maximum height of a screenshot in px. */
const MAX_HEIGHT = 1_800;

for (const screen of [...pages, ...overlays]) {
  test(screen.name, async ({ browser, baseURL }) => {
    await mkdir(folder, { recursive: true });
    const pictures: Picture[] = [];
    for (const state of Object.keys(screen.states)) {
      pictures.push(...(await takeState({ browser, baseURL, screen, state })));
    }
    const sheet = join(folder, `${screen.name}.html`);
    await writeFile(sheet, contactSheet({ title: screen.name, pictures }));
    const page = await browser.newPage({ viewport: { width: 2_400, height: 1_000 } });
    await page.goto(`file://${sheet}`);
    await page.screenshot({ path: join(folder, `sheet-${screen.name}.png`), fullPage: true });
    await page.close();
  });
}

async function takeState({
  browser,
  baseURL,
  screen,
  state,
}: {
  browser: Browser;
  baseURL: string | undefined;
  screen: Screen;
  state: string;
}): Promise<Picture[]> {
  const widths = screen.isPhoneOnly === true ? sizes.slice(0, 1) : sizes;
  const [first] = widths;
  const context = await browser.newContext({
    ...(baseURL === undefined ? {} : { baseURL }),
    viewport: first,
    reducedMotion: 'reduce',
  });
  await presetAutoApprove(context, true);
  if (screen.as !== null) await signInByScript(context.request, screen.as);
  const page = await context.newPage();
  await openScreen(page, { screen, state });
  const pictures: Picture[] = [];
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    for (const size of widths) {
      await page.setViewportSize(size);
      if (screen.isFleeting === true) await openAgain({ page, screen, state });
      const file = `${screen.name}-${state}-${size.width}-${theme}.png`;
      await takePicture({ page, path: join(folder, file), isOverlay: overlays.includes(screen) });
      pictures.push({ file, state, theme, ...size });
    }
  }
  await closeScreen(page);
  await context.close();
  return pictures;
}

async function openAgain({
  page,
  screen,
  state,
}: {
  page: Page;
  screen: Screen;
  state: string;
}): Promise<void> {
  await page.reload();
  await waitForPage(page, false);
  await screen.states[state]?.after?.(page);
}

async function takePicture({
  page,
  path,
  isOverlay,
}: {
  page: Page;
  path: string;
  isOverlay: boolean;
}): Promise<void> {
  const options = { path, animations: 'disabled' } as const;
  if (isOverlay) {
    // The changed width may have moved the dialog or menu.
    await page.evaluate(() => document.activeElement?.scrollIntoView({ block: 'center' }));
    return void (await page.screenshot(options));
  }
  // The sticky bar would be in the middle of the picture.
  await page.evaluate(() => scrollTo(0, 0));
  const { width, height } = await page.evaluate(() => ({
    width: document.documentElement.clientWidth,
    height: document.documentElement.scrollHeight,
  }));
  await page.screenshot({
    ...options,
    fullPage: true,
    clip: { x: 0, y: 0, width, height: Math.min(height, MAX_HEIGHT) },
  });
}
