import { PRODUCT_NAME } from '#schema/constants.ts';

// Not in page-texts.ts, because the directory loads this file first and needs no other page's title.

export const DIRECTORY_TITLE = `Find ${PRODUCT_NAME}`;

export function documentTitle(title: string): string {
  return title === DIRECTORY_TITLE ? title : `${title} · ${PRODUCT_NAME}`;
}
