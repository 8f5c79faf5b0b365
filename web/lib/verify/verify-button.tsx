import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DEFAULT_CALLER_SORT } from '#schema/constants/market.ts';
import { callersQuery, type CallersFilter } from '#web/api/callers.queries.ts';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { useIsHydrated } from '#web/ui/use-is-hydrated.ts';
import { SORTS, type Sort } from '#verify/sorts.ts';
import type { Target } from '#verify/verify.ts';

const VerifyDialog = lazyDialog(async () => (await import('./verify-dialog.tsx')).VerifyDialog);

interface VerifyButtonProps {
  title: string;
  getTarget: () => Target;
  onResult?: (result: string) => void;
}

/** A button that opens the verifier, which loads then. The server renders the button before its code has loaded. */
export function VerifyButton({ title, ...dialog }: VerifyButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" disabled={!useIsHydrated()} onClick={() => setIsOpen(true)}>
        {title}
      </Button>
      <VerifyDialog open={isOpen} onOpenChange={setIsOpen} title={title} {...dialog} />
    </>
  );
}

const isLogged = (sort: string): sort is Sort => SORTS.some((logged) => logged === sort);

/** Verifies the directory's loaded pages. Filters and the other orders use what isn't in the log. */
export function VerifyLeaderboard({ filter }: { filter: CallersFilter }) {
  const queryClient = useQueryClient();
  const isHydrated = useIsHydrated();
  const { sort = DEFAULT_CALLER_SORT, order = 'desc', ...others } = filter;
  const logged = isLogged(sort) && Object.keys(others).length === 0 ? sort : null;
  // A choice from before the hydration must not remove what the server rendered.
  if (isHydrated && logged === null) return null;
  const getPaths = () => {
    const loaded = queryClient.getQueryData(callersQuery(filter).queryKey)?.pageParams ?? [null];
    return loaded.map((cursor) => {
      const parameters = new URLSearchParams(typeof cursor === 'string' ? { cursor } : {});
      for (const [name, value] of Object.entries(filter)) {
        if (value !== undefined) parameters.set(name, value);
      }
      parameters.sort();
      return parameters.size > 0 ? `/api/callers?${parameters}` : '/api/callers';
    });
  };
  return (
    <div className="desk pb-6 text-center">
      <VerifyButton
        title="Verify this leaderboard"
        getTarget={() => ({
          kind: 'leaderboard',
          sort: logged ?? DEFAULT_CALLER_SORT,
          order,
          paths: getPaths(),
        })}
      />
    </div>
  );
}
