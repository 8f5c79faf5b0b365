import { Link } from '@tanstack/react-router';
import { MAX_COMPARED_CALLERS } from '#schema/constants/market.ts';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import { fullName, profileSlug } from '#schema/rules/people/person-name.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { tabStorage } from '#web/lib/browser/page-storage.ts';
import { useStored } from '#web/lib/browser/use-stored.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { aboveCoveringLinkClassName } from '#web/ui/lists/covering-link.ts';

/** The callers ticked for a comparison: handles or ids in the order of the ticks. They stay ticked until the tab is closed. */
function useCompared() {
  const [stored, store] = useStored(tabStorage, 'compared');
  return {
    names: stored === null ? [] : stored.split(' '),
    change: (names: readonly string[]) => store(names.length === 0 ? null : names.join(' ')),
  };
}

export function CompareTick({ caller }: { caller: CallerSummary }) {
  const { names, change } = useCompared();
  const name = profileSlug(caller);
  const isTicked = names.includes(name);
  return (
    <label className={`tick ${aboveCoveringLinkClassName}`}>
      <input
        type="checkbox"
        aria-label={`Compare ${fullName(caller)}`}
        checked={isTicked}
        disabled={!isTicked && names.length >= MAX_COMPARED_CALLERS}
        onChange={() => change(isTicked ? names.filter((other) => other !== name) : [...names, name])}
      />
      Compare
    </label>
  );
}

/** Stays at the bottom of the window while callers are ticked. */
export function CompareBar() {
  const { names, change } = useCompared();
  if (names.length === 0) return null;
  return (
    <section
      aria-label="Comparison"
      className="sticky bottom-3 z-10 mx-auto mt-4 flex w-fit items-center gap-2 rounded-md border border-line-strong bg-surface-raised py-1 pr-1 pl-4 text-sm shadow-float"
    >
      {pluralize(names.length, 'caller')}
      <Button variant="ghost" size="sm" onClick={() => change([])}>
        Clear
      </Button>
      <Link
        to="/compare"
        search={{ callers: names.join(' ') }}
        className={buttonClassName({ variant: 'primary', size: 'sm' })}
      >
        {names.length === 1 ? 'Compare with…' : 'Compare'}
      </Link>
    </section>
  );
}
