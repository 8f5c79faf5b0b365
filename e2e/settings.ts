import { root, type Settings } from '#dev/settings.ts';

/** The journeys' own world, beside one that `npm start` may be running. */
export const e2eSettings: Settings = {
  port: 18_787,
  solanaPort: 18_899,
  standInsPort: 18_788,
  dataDir: `${root}/.local/e2e`,
  productUrl: 'http://localhost:18787',
};

export const solanaUrl = `http://127.0.0.1:${e2eSettings.solanaPort}`;
export const controlUrl = `http://127.0.0.1:${e2eSettings.standInsPort}/_control`;
