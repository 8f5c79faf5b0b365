import { PAGES, type PagePath } from '#schema/rules/page-texts.ts';

/** The app's pages but callers' and calls'. */
export const PAGE_PATHS = Object.keys(PAGES) as PagePath[];

/** A page has one address, but also answers to it with a slash behind, as the app does. */
export function withSlash<Path extends string>(path: Path): [Path, `${Path}/`] | [Path] {
  return path === '/' ? [path] : [path, `${path}/`];
}

/** Matches the paths of a page, `:name` being any one part. */
export function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}${path === '/' ? '' : '/?'}$`);
}
