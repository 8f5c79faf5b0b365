import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { generateDocument } from '../build/open-api/generate-docs.ts';

/** Paths that share a pattern, such as `caller/{id}` and `{id}/chart`. The router prefers the fixed part. */
const ALLOWED = ['no-ambiguous-paths'];
/** These routes only redirect, or return 101 with a WebSocket. */
const WITHOUT_2XX = /^#\/paths\/~1api~1(auth~1twitter(~1callback)?|logout|live)\//;
/** Rules of Spectral that aren't in `recommended`, and a description of each parameter. */
const DESCRIPTIONS = {
  'info-contact': 'error',
  'operation-description': 'error',
  'parameter-description': 'error',
  'tag-description': 'error',
} as const;

it('the OpenAPI document passes the linter’s recommended rules', async () => {
  const source = JSON.stringify(generateDocument());
  const config = await createConfig({ extends: ['recommended'], rules: DESCRIPTIONS });
  const problems = await lintFromString({ source, config });
  const found = problems
    .map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer ?? '' }))
    .filter(({ ruleId }) => !ALLOWED.includes(ruleId))
    .filter(({ ruleId, at }) => !(ruleId === 'operation-2xx-response' && WITHOUT_2XX.test(at)));
  expect(found).toEqual([]);
});
