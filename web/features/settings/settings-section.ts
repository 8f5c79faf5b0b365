import { PAGES, type PagePath } from '#schema/rules/text/page-texts.ts';

/** The last part of a settings page's path. */
export type SettingsSection = PagePath extends infer Path
  ? Path extends `/settings/${infer Section}`
    ? Section
    : never
  : never;

export const isSettingsSection = (section: string): section is SettingsSection =>
  Object.hasOwn(PAGES, `/settings/${section}`);
