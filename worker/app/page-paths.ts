import { PAGES, type PagePath } from '#schema/rules/page-texts.ts';

/** All pages except callers' and calls'. */
export const PAGE_PATHS = Object.keys(PAGES) as PagePath[];

/** Pages also answer with a trailing slash, as the router in the browser does. */
export function withSlash<Path extends string>(path: Path): [Path, `${Path}/`] | [Path] {
  return path === '/' ? [path] : [path, `${path}/`];
}

/** Matches the paths of a page; `:name` is any one segment. */
export function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}${path === '/' ? '' : '/?'}$`);
}
