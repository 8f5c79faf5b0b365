import type { TokenCall } from '#schema/contracts/calls.ts';
import { automaticEndTexts, rankingBadge } from '#schema/rules/calls/ranking-texts.ts';
import { uncountedGainReasons, unrankedReasons } from '#schema/rules/calls/unranked-text.ts';
import { Badge } from '../people/badge.tsx';

type MarkedCall = Pick<
  TokenCall,
  'isPaidPromotion' | 'unrankedReason' | 'uncountedGainReason' | 'automaticEnd'
>;

export function CallBadges({ call }: { call: MarkedCall }) {
  const { isPaidPromotion, unrankedReason, uncountedGainReason, automaticEnd } = call;
  return (
    <>
      {isPaidPromotion && (
        <Badge tone="warn" size="sm">
          Paid promotion
        </Badge>
      )}
      {unrankedReason !== null && (
        <Badge size="sm" title={unrankedReasons[unrankedReason]}>
          {rankingBadge({ unrankedReason, uncountedGainReason })}
        </Badge>
      )}
      {uncountedGainReason !== null && (
        <Badge size="sm" title={uncountedGainReasons[uncountedGainReason]}>
          Gain counts as 0%
        </Badge>
      )}
      {automaticEnd !== null && (
        <Badge size="sm" title={`${automaticEndTexts[automaticEnd]}.`}>
          Ended automatically
        </Badge>
      )}
    </>
  );
}
