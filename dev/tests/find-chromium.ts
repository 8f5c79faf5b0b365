import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A Chromium that can't draw a window. It needs about half the CPU. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

const PLACES = [
  HEADLESS_SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Finds Chromium or Chrome: the one at `CHROMIUM_PATH`, else an installed one. As root on Debian, installs
 * Chromium if there is none.
 * @throws Error that says how to install Chromium
 */
export function findChromium(): string {
  const wanted = process.env['CHROMIUM_PATH'];
  if (wanted !== undefined) {
    if (existsSync(wanted)) return wanted;
    throw new Error(`CHROMIUM_PATH is ${wanted}, which does not exist.`);
  }
  const found = PLACES.find((path) => existsSync(path));
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium from Debian (once)...');
    for (const args of [
      ['update', '-qq'],
      [
        'install',
        '-y',
        '-qq',
        '--no-install-recommends',
        'chromium-headless-shell',
        'fonts-liberation',
        'fonts-noto-color-emoji',
      ],
    ]) {
      const { status, stderr } = spawnSync('apt-get', args, {
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`apt-get ${args[0]} failed:\n${stderr}`);
    }
    if (existsSync(HEADLESS_SHELL)) return HEADLESS_SHELL;
  }
  throw new Error(
    'The browser tests need Chromium or Chrome. Install one (Debian: apt-get install chromium-headless-shell) or name it in CHROMIUM_PATH.',
  );
}
