import type { TokenCall } from '#schema/contracts/calls.ts';
import { unrankedReasons } from '#web/lib/unranked-text.ts';
import { Badge } from './badge.tsx';

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
