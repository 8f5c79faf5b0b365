import { root, type Settings } from '#dev/settings.ts';

/** True if `npm run test:deep` is running, which tests more states, themes and rows. */
export const isDeep = process.env['TEST_SUITE'] === 'deep';

/** Transactions that offer less than this many micro-lamports per compute unit never land, in all browser tests. */
export const USUAL_LOAD = 5_000;

/** The number of local worlds, one per Playwright worker. They don't share ports or data with `npm start`. */
export const WORLDS = 2;

export const worldSettings: readonly Settings[] = Array.from({ length: WORLDS }, (_, world) => {
  const port = 18_787 + 10 * world;
  return {
    port,
    solanaPort: 18_899 + 10 * world,
    standInsPort: 18_788 + 10 * world,
    dataDir: `${root}/.local/e2e-${world}`,
    productUrl: `http://localhost:${port}`,
  };
});

const settingsOfWorker = worldSettings[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)];
if (!settingsOfWorker) throw new Error(`There are only ${WORLDS} worlds.`);
export const e2eSettings = settingsOfWorker;

export const solanaUrl = `http://127.0.0.1:${e2eSettings.solanaPort}`;
export const controlUrl = `http://127.0.0.1:${e2eSettings.standInsPort}/_control`;
