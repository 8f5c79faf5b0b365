import { DEFAULT_CALLER_SORT } from '#schema/constants.ts';
import type { CallerListItem, CallerSort } from '#schema/contracts/callers.ts';
import { CallerCard } from './caller-card.tsx';
import { groupByProven } from './caller-record.ts';
import type { SubscribeButtonProps } from './subscribe-button.tsx';

export interface CallerCardsProps extends Omit<SubscribeButtonProps, 'caller' | 'isStacked'> {
  callers: readonly CallerListItem[];
}

export function CallerCards({
  callers,
  sort = DEFAULT_CALLER_SORT,
  ...subscribing
}: CallerCardsProps & { sort?: CallerSort | undefined }) {
  return groupByProven(callers, sort).map(({ title, callers: listed }) => (
    <section key={title} aria-label={title ?? 'Callers'} className="not-first:mt-8">
      {title !== null && <h2 className="mb-3 text-lg font-semibold tracking-tight">{title}</h2>}
      <div role="list" className="grid grid-cols-1 gap-3 sm:grid-cols-2 md:gap-4 lg:grid-cols-3">
        {listed.map((caller) => (
          <CallerCard key={caller.id} caller={caller} {...subscribing} />
        ))}
      </div>
    </section>
  ));
}
