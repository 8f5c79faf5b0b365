const LAMPORTS_PER_SOL = 1_000_000_000n;

/** Lamports as exact SOL without trailing zeros: `5000` becomes `0.000005`. */
export function formatSol(lamports: bigint): string {
  const fraction = String(lamports % LAMPORTS_PER_SOL)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${lamports / LAMPORTS_PER_SOL}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Lamports as SOL with four decimals, rounded down. */
export function formatRoundedSol(lamports: bigint): string {
  return (Number(lamports / 100_000n) / 10_000).toFixed(4);
}

export function shortAddress(address: string): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`;
}
