/** Where the product is found elsewhere. */
export const SOCIAL_LINKS = { x: 'https://x.com/solcallers', discord: 'https://discord.gg/solcallers' } as const;

/** A person's profile on X. */
export function xProfileUrl(handle: string): string {
  return `https://x.com/${encodeURIComponent(handle)}`;
}

/** Where a token is bought with SOL. */
export function buyUrl(mint: string): string {
  return `https://jup.ag/swap/SOL-${encodeURIComponent(mint)}`;
}

/** The mint of the product's own token; null until there is one (set VITE_TOKEN_MINT at build time). */
export const PRODUCT_TOKEN_MINT: string | null = (import.meta.env['VITE_TOKEN_MINT'] as string | undefined) || null;
