import { describe, expect, it } from 'vitest';
import { checkAccess } from '../test-support/access-checks.ts';
import { checkAccessThroughCache } from '../test-support/access-through-cache.ts';
import { ACCESS_RULES } from '../test-support/access-rules.ts';
import { createAccessWorld, SECRETS, SIGNED_IN, VIEWERS, type Viewer } from '../test-support/access-world.ts';
import { OPERATIONS, requestedOperations } from '../test-support/check-answers.ts';
import { listRoutes } from '../test-support/routes.ts';

const HIDDEN_CALL = 'hidden call';

/** `access.deep.test.ts` checks all viewers on all routes. */
const VIEWERS_PER_ROUTE = 2;

const asCode = (route: string) => `\`${route.replaceAll('|', '\\|')}\``;

const describeViewers = (viewers: readonly Viewer[]) =>
  SIGNED_IN.every((viewer) => viewers.includes(viewer)) ? 'every signed-in viewer' : viewers.join(', ');

function composePage(): string {
  const rules = Object.entries(ACCESS_RULES);
  const withHidden = rules.filter(([, { shows }]) => shows?.[HIDDEN_CALL]);
  const hiddenRows = withHidden.map(([route, { shows }]) => {
    const cells = VIEWERS.map((viewer) => (shows?.[HIDDEN_CALL]?.includes(viewer) === true ? 'yes' : '–'));
    return `| ${asCode(route)} | ${cells.join(' | ')} |`;
  });
  const otherRows = rules.flatMap(([route, { shows = {} }]) =>
    Object.entries(shows)
      .filter(([name]) => name !== HIDDEN_CALL)
      .map(([name, viewers]) => `| ${asCode(route)} | ${name} | ${describeViewers(viewers)} |`),
  );
  return `# Access

A test writes this page from \`worker/test-support/access-rules.ts\`. \`npm run test:deep\` requests every route as every
viewer and checks each cell. \`npm test\` checks a sample.

## A Paid caller's active call

| route | ${VIEWERS.join(' | ')} |
|---|${VIEWERS.map(() => '---').join('|')}|
${hiddenRows.join('\n')}

The other ${rules.length - withHidden.length} routes show this call to nobody.

## Other data that only some viewers may see

| route | data | shown to |
|---|---|---|
${otherRows.join('\n')}
`;
}

describe('access', () => {
  it('has a rule for every route, and for no other', () => {
    expect(Object.keys(ACCESS_RULES).toSorted()).toEqual(listRoutes());
  });

  it('is listed in docs/ACCESS.md (update it with npm test -- worker -t "docs/ACCESS" -u)', async () => {
    await expect(composePage()).toMatchFileSnapshot('../../docs/ACCESS.md');
  });

  // Specification 2.135, 6.6, 6.26, 6.28
  it('shows a sample of viewers on every route only what they may see', async () => {
    const world = await createAccessWorld();
    expect(Object.keys(world.secrets)).toEqual(Object.keys(SECRETS));
    const { checks, leaks } = await checkAccess(world, { viewersPerRoute: VIEWERS_PER_ROUTE });
    expect(leaks).toEqual([]);
    expect(checks).toBeGreaterThan(5_000);
    expect(OPERATIONS.filter((operation) => !requestedOperations.has(operation))).toEqual([]);
  });

  it('is the same behind the shared cache, for all viewers on all routes, after viewers with access have asked', async () => {
    const world = await createAccessWorld();
    const { checks, requests, hits, leaks } = await checkAccessThroughCache({ world });
    expect(leaks).toEqual([]);
    expect(checks).toBeGreaterThan(37_000);
    expect(requests).toBeGreaterThan(1_280);
    expect(hits).toBeGreaterThan(460);
  });

  it('would be reported as broken if the shared cache stored private answers', async () => {
    const makePublic = ({ body, status, headers }: Response) =>
      new Response(body, {
        status,
        headers: [
          ...[...headers].filter(([name]) => name !== 'cache-control'),
          ['Cache-Control', 'public, max-age=10'],
        ],
      });
    const { leaks } = await checkAccessThroughCache({ world: await createAccessWorld(), change: makePublic });
    const ofVisitors = leaks.filter((leak) => leak.startsWith('anonymous: '));
    expect(ofVisitors.some((leak) => leak.includes('/active'))).toBe(true);
    expect(ofVisitors.length).toBeGreaterThan(50);
  });
});
