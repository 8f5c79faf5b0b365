import { root, type Settings } from '#dev/settings.ts';

/** Whether this is `npm run test:deep`: more states, themes and rows. */
export const isDeep = process.env['TEST_SUITE'] === 'deep';

/** Each of Playwright's workers has a local world of its own, beside one that `npm start` may be running. */
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

const workersWorld = worldSettings[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)];
if (!workersWorld) throw new Error(`There are only ${WORLDS} worlds.`);
export const e2eSettings = workersWorld;

export const solanaUrl = `http://127.0.0.1:${e2eSettings.solanaPort}`;
export const controlUrl = `http://127.0.0.1:${e2eSettings.standInsPort}/_control`;
