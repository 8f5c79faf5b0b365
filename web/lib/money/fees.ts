import { parseSol } from '#schema/rules/money/lamports.ts';

export function isFreeCaller({ monthlyFee }: { readonly monthlyFee: string | null | undefined }): boolean {
  return monthlyFee == null || parseSol(monthlyFee) === 0n;
}
