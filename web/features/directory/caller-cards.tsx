import { useCallback } from 'react';
import type { CallerListItem } from '#schema/contracts/callers.ts';
import { fullName, shownHandle } from '#schema/rules/person-name.ts';
import { ChunkedList } from '#web/ui/lists/chunked-rows.tsx';
import { CallerCard } from './caller-card.tsx';
import type { SubscribeButtonProps } from './subscribe-button.tsx';

export interface CallerCardsProps extends Omit<SubscribeButtonProps, 'caller' | 'isStacked'> {
  /** Different for each filter and order. */
  name: string;
  callers: readonly CallerListItem[];
  hasMore: boolean;
}

export const callerText = (caller: CallerListItem) => `${fullName(caller)} ${shownHandle(caller)}`;

export function CallerCards({ name, callers, hasMore, ...subscribing }: CallerCardsProps) {
  const { viewer, onSubscribe, onUnfollow, isPaying } = subscribing;
  const size = hasMore ? -1 : callers.length;
  const renderCard = useCallback(
    (caller: CallerListItem, position: number) => (
      <CallerCard
        key={caller.id}
        {...{ caller, position, size, viewer, onSubscribe, onUnfollow, isPaying }}
      />
    ),
    [size, viewer, onSubscribe, onUnfollow, isPaying],
  );
  return (
    <ChunkedList
      name={name}
      rows={callers}
      renderRow={renderCard}
      textOf={callerText}
      estimatedRowHeight={280}
      className="grid auto-rows-fr grid-cols-1 gap-3 pb-3 [contain-intrinsic-height:auto_1662px] [content-visibility:auto] sm:grid-cols-2 sm:[contain-intrinsic-height:auto_831px] md:gap-4 md:pb-4 lg:grid-cols-3 lg:[contain-intrinsic-height:auto_546px]"
    />
  );
}
