import { RISKY_TOP_HOLDERS_PERCENT } from '#schema/constants/prices.ts';
import { formatRate } from '../text/format.ts';

/** A token's safety as the price sources describe it. Null means unknown. */
export interface TokenSafety {
  readonly isMintAuthorityDisabled: boolean | null;
  readonly isFreezeAuthorityDisabled: boolean | null;
  readonly topHoldersPercent: number | null;
  readonly isSuspicious: boolean | null;
  readonly isVerified: boolean | null;
}

export const UNKNOWN_SAFETY: TokenSafety = {
  isMintAuthorityDisabled: null,
  isFreezeAuthorityDisabled: null,
  topHoldersPercent: null,
  isSuspicious: null,
  isVerified: null,
};

export interface SafetyRow {
  readonly label: string;
  readonly text: string;
  readonly kind: 'fine' | 'risk' | 'unknown';
}

type Finding = Omit<SafetyRow, 'label'>;

const UNKNOWN: Finding = { text: 'Unknown', kind: 'unknown' };
const fine = (text: string): Finding => ({ text, kind: 'fine' });
const risk = (text: string): Finding => ({ text, kind: 'risk' });

/** A token's safety as rows of text. A row without data says Unknown, never safe. */
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
      ...either(isMintAuthorityDisabled, fine('Disabled'), risk('Active, more tokens can be minted')),
    },
    {
      label: 'Freeze authority',
      ...either(isFreezeAuthorityDisabled, fine('Disabled'), risk('Active, wallets can be frozen')),
    },
    { label: 'Top holders', ...(topHoldersPercent === null ? UNKNOWN : describeHolders(topHoldersPercent)) },
    { label: 'Suspicious', ...either(isSuspicious, risk('Yes, flagged by a source'), fine('No')) },
    { label: 'Verified', ...either(isVerified, fine('Yes'), risk('No')) },
  ];
}

/** One text per row. A post in a chat has room only for those that aren't fine. */
export const describeSafety = (rows: readonly SafetyRow[]): string[] =>
  rows.map(({ label, text, kind }) => `${kind === 'risk' ? '⚠️ ' : ''}${label}: ${text}`);

function either(isTrue: boolean | null, yes: Finding, no: Finding): Finding {
  if (isTrue === null) return UNKNOWN;
  return isTrue ? yes : no;
}

function describeHolders(percent: number): Finding {
  const text = `${formatRate(percent)} of supply`;
  return percent >= RISKY_TOP_HOLDERS_PERCENT ? risk(text) : fine(text);
}

export const isSafetyKnown = (safety: TokenSafety): boolean =>
  Object.values(safety).some((value) => value !== null);
