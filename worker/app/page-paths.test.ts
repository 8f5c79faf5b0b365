import { expect, it } from 'vitest';
import { listRoutes } from '#test/access/routes.ts';
import { PAGE_PATHS, withSlash } from './page-paths.ts';

const { default: routeTree } = await import('../../web/route-tree.gen.ts?raw');

const appPaths = [
  ...(/interface FileRoutesByTo \{([^}]+)\}/.exec(routeTree)?.[1] ?? '').matchAll(/'([^']+)'/g),
]
  .map(([, path = '']) => path)
  // These pages have no routes of their own, because they must look like unknown URLs to all but operators
  // (worker/app/app.ts).
  .filter((path) => !path.startsWith('/operators'))
  // The worker has a path for each section, so that an unknown one gets a 404.
  .flatMap((path) =>
    path === '/settings/$section' ? PAGE_PATHS.filter((each) => each.startsWith('/settings/')) : [path],
  );
const unnamed = (path: string) => path.replace(/[:$]\w+/g, '*');

it('the worker’s page paths equal the paths of the web app’s routes', () => {
  expect(appPaths.length).toBeGreaterThan(5);
  const paths = [...PAGE_PATHS, '/caller/*', '/call/*', '/token/*'].map(unnamed);
  expect(paths.toSorted()).toEqual(appPaths.map(unnamed).toSorted());
});

it('every page path has a route in the worker, with and without a trailing slash', () => {
  const routes = listRoutes().map((route) => unnamed(route));
  for (const path of appPaths.map(unnamed)) {
    expect(routes).toEqual(expect.arrayContaining(withSlash(path).map((each) => `GET ${each}`)));
  }
});
