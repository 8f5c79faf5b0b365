import { RISKY_TOP_HOLDERS_PERCENT } from '#schema/constants.ts';
import type { TokenSafety } from '#schema/contracts/prices.ts';
import { formatRate } from '#schema/rules/format.ts';

/** One thing that sources know of a token's safety, or do not. */
export interface SafetyRow {
  readonly label: string;
  readonly words: string;
  readonly kind: 'fine' | 'risk' | 'unknown';
}

const UNKNOWN = { words: 'Unknown', kind: 'unknown' } as const;
const fine = (words: string) => ({ words, kind: 'fine' }) as const;
const risk = (words: string) => ({ words, kind: 'risk' }) as const;

/** What is known of a token's safety, in words; what no source says is unknown, which is not fine. */
export function readSafety({
  isMintAuthorityDisabled,
  isFreezeAuthorityDisabled,
  topHoldersPercent,
  isSuspicious,
  isVerified,
}: TokenSafety): SafetyRow[] {
  return [
    {
      label: 'Mint authority',
      ...either(isMintAuthorityDisabled, fine('Disabled'), risk('Active: more tokens can be made')),
    },
    {
      label: 'Freeze authority',
      ...either(isFreezeAuthorityDisabled, fine('Disabled'), risk('Active: wallets can be frozen')),
    },
    { label: 'Top holders', ...(topHoldersPercent === null ? UNKNOWN : describeHolders(topHoldersPercent)) },
    { label: 'Suspicious', ...either(isSuspicious, risk('Yes, says a source'), fine('No')) },
    { label: 'Verified', ...either(isVerified, fine('Yes'), risk('No')) },
  ];
}

function either(
  isSo: boolean | null,
  yes: Omit<SafetyRow, 'label'>,
  no: Omit<SafetyRow, 'label'>,
): Omit<SafetyRow, 'label'> {
  if (isSo === null) return UNKNOWN;
  return isSo ? yes : no;
}

function describeHolders(percent: number): Omit<SafetyRow, 'label'> {
  return (percent >= RISKY_TOP_HOLDERS_PERCENT ? risk : fine)(`${formatRate(percent)} of the supply`);
}
