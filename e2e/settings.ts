import { root, type Settings } from '#dev/settings.ts';

/** True if `npm run test:deep` is running, which tests more states, themes and rows. */
export const isDeep = process.env['TEST_SUITE'] === 'deep';

/** Transactions that offer less than this many micro-lamports per compute unit never land, in all browser tests. */
export const USUAL_LOAD = 5_000;

/** The number of local environments, one per Playwright worker. They don't share ports or data with `npm start`. */
export const ENVIRONMENTS = 2;

export const environmentSettings: readonly Settings[] = Array.from(
  { length: ENVIRONMENTS },
  (_, environment) => {
    const port = 18_787 + 10 * environment;
    return {
      port,
      solanaPort: 18_899 + 10 * environment,
      standInsPort: 18_788 + 10 * environment,
      dataDir: `${root}/.local/e2e-${environment}`,
      productUrl: `http://localhost:${port}`,
    };
  },
);

const settingsOfWorker = environmentSettings[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)];
if (!settingsOfWorker) throw new Error(`There are only ${ENVIRONMENTS} worlds.`);
export const e2eSettings = settingsOfWorker;

export const solanaUrl = `http://127.0.0.1:${e2eSettings.solanaPort}`;
export const controlUrl = `http://127.0.0.1:${e2eSettings.standInsPort}/_control`;
