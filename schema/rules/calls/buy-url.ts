/** The page where people buy a token with SOL. */
export function buyUrl(mint: string): string {
  return `https://jup.ag/swap/SOL-${encodeURIComponent(mint)}`;
}
