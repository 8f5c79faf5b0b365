import type { TokenCall } from '#schema/contracts/calls.ts';
import { unrankedReasons } from '#web/lib/unranked-text.ts';
import { Badge } from './badge.tsx';

/** What a reader has to know of a call at a glance: that it was paid for, that it is not ranked. */
export function CallBadges({ call }: { call: Pick<TokenCall, 'isPaidPromotion' | 'unrankedReason'> }) {
  return (
    <>
      {call.isPaidPromotion && (
        <Badge tone="warn" size="sm">
          Paid promotion
        </Badge>
      )}
      {call.unrankedReason !== null && (
        <Badge size="sm" title={unrankedReasons[call.unrankedReason]}>
          Unranked
        </Badge>
      )}
    </>
  );
}
