import { PRODUCT_NAME } from '#schema/constants/app.ts';

// A file of its own, because the directory loads it first and doesn't need the other titles in page-texts.ts.

export const DIRECTORY_TITLE = `Find ${PRODUCT_NAME}`;

export function documentTitle(title: string): string {
  return title === DIRECTORY_TITLE ? title : `${title} · ${PRODUCT_NAME}`;
}
