import { PRICE_SOURCES } from '#schema/constants/prices.ts';

const NAMES: Readonly<Record<string, { readonly name: string } | undefined>> = PRICE_SOURCES;

export const ALL_PRICE_SOURCES = new Intl.ListFormat('en').format(
  Object.values(PRICE_SOURCES).map(({ name }) => name),
);

/** The name of a source on the screen. For a source that is no longer used, returns its key. */
export const priceSourceName = (source: string): string => NAMES[source]?.name ?? source;
