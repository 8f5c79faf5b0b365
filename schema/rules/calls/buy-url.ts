export function buyUrl(mint: string): string {
  return `https://jup.ag/swap/SOL-${encodeURIComponent(mint)}`;
}
