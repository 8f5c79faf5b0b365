import type { CallerListItem } from '#schema/contracts/callers.ts';
import { CallerCard } from './caller-card.tsx';
import type { SubscribeButtonProps } from './subscribe-button.tsx';

export interface CallerCardsProps extends Omit<SubscribeButtonProps, 'caller' | 'isStacked'> {
  callers: readonly CallerListItem[];
}

export function CallerCards({ callers, ...subscribing }: CallerCardsProps) {
  return (
    <div role="list" className="grid grid-cols-1 gap-3 sm:grid-cols-2 md:gap-4 lg:grid-cols-3">
      {callers.map((caller) => (
        <CallerCard key={caller.id} caller={caller} {...subscribing} />
      ))}
    </div>
  );
}
