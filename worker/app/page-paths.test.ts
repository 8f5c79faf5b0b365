import { describe, expect, it } from 'vitest';
import { listRoutes } from '../test-support/routes.ts';
import { PAGE_PATHS, patternOf, withSlash } from './page-paths.ts';

const { default: routeTree } = await import('../../web/route-tree.gen.ts?raw');

const appPaths = [
  ...(/interface FileRoutesByTo \{([^}]+)\}/.exec(routeTree)?.[1] ?? '').matchAll(/'([^']+)'/g),
].map(([, path = '']) => path);
const unnamed = (path: string) => path.replace(/[:$]\w+/g, '*');

describe('the worker’s page paths', () => {
  it('are exactly the app’s routes', () => {
    expect(appPaths.length).toBeGreaterThan(5);
    expect([...PAGE_PATHS, '/caller/*', '/call/*'].map(unnamed).toSorted()).toEqual(
      appPaths.map(unnamed).toSorted(),
    );
  });

  it('all have a route in the worker, also with a trailing slash', () => {
    const answered = listRoutes().map((route) => unnamed(route));
    for (const path of appPaths.map(unnamed)) {
      expect(answered).toEqual(expect.arrayContaining(withSlash(path).map((each) => `GET ${each}`)));
    }
  });

  it.each([
    ['/', ['/'], ['/x', '']],
    [
      '/payments/:signature',
      ['/payments/5sig', '/payments/5sig/'],
      ['/payments/', '/payments/a/b', '/x/payments/a'],
    ],
    ['/dashboard', ['/dashboard', '/dashboard/'], ['/dashboard/x', '/dashboardx', '/dashboard//']],
  ])('match only their own page: %s', (path, its, others) => {
    for (const each of its) expect(each).toMatch(patternOf(path));
    for (const each of others) expect(each).not.toMatch(patternOf(path));
  });
});
