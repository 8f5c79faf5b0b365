import { join } from 'node:path';
import { readBuild } from '#deploy/build.ts';
import { smokeTest } from '#deploy/smoke-test.ts';
import { root } from '#dev/settings.ts';
import { expect, test } from './fixtures.ts';

test('the smoke test of a deploy passes for the production build and fails for another build', async ({
  baseURL,
}) => {
  const build = readBuild(join(root, 'dist'));
  expect(build.firstFiles.length).toBeGreaterThan(2);
  const origin = baseURL ?? '';
  expect(await smokeTest({ origin, version: null, build, fetch })).toEqual([]);
  const other = { ...build, firstFiles: ['/assets/another-build.js'] };
  expect(await smokeTest({ origin, version: null, build: other, fetch })).toEqual([
    '/ must load the files of this build (it responded with 200)',
    '/assets/another-build.js must respond with 200 (it responded with 404)',
  ]);
});
