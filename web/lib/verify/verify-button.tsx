import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DEFAULT_CALLER_SORT } from '#schema/constants/market.ts';
import { callersQuery, type CallersFilter } from '#web/api/callers.queries.ts';
import { pageStorage } from '#web/lib/browser/page-storage.ts';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { useIsHydrated } from '#web/ui/use-is-hydrated.ts';
import { SORTS, type Sort } from '#verify/sorts.ts';
import type { Target } from '#verify/verify.ts';

const VerifyDialog = lazyDialog(async () => (await import('./verify-dialog.tsx')).VerifyDialog);

interface VerifyButtonProps {
  title: string;
  getTarget: () => Target;
  onResult?: (isVerified: boolean) => void;
}

/** A button that opens the verifier, which loads then. The server renders the button before its code has loaded. */
function VerifyButton({ title, ...dialog }: VerifyButtonProps) {
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

export function VerifyRecord({ callerId }: { callerId: string }) {
  const key = `solcallers.verified.${callerId}`;
  const queryClient = useQueryClient();
  const { data: last = '' } = useQuery({
    queryKey: [key],
    queryFn: () => pageStorage.getItem(key) ?? '',
    networkMode: 'always',
  });
  const [result = '', at] = last.split(' at ');
  const save = (isVerified: boolean) => {
    const saved = `${isVerified ? 'Verified' : 'Not verified'} at ${new Date().toISOString()}`;
    pageStorage.setItem(key, saved);
    queryClient.setQueryData([key], saved);
  };
  return (
    <div className="-ml-4 flex items-center text-sm [&_button]:underline [&_button]:underline-offset-4">
      <VerifyButton
        title="Verify this record"
        getTarget={() => ({ kind: 'caller', handle: callerId })}
        onResult={save}
      />
      {result !== '' && (
        <span className="text-text-muted">
          {result} <RelativeTime at={at} className="lowercase" />
        </span>
      )}
    </div>
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
