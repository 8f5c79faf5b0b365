import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { reasonOf } from '#web/api/api-error.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { RowSkeletons } from './row-skeletons.tsx';

export interface ListStateProps<Row> {
  query: Pick<UseQueryResult<readonly Row[]>, 'isPending' | 'data' | 'error' | 'refetch'>;
  /** What is listed, for the words around it: 'active calls'. */
  what: string;
  skeletons: number;
  children: (rows: readonly Row[]) => ReactNode;
}

/** A list while it loads, when it failed, and when it is there. */
export function ListState<Row>({ query, what, skeletons, children }: ListStateProps<Row>) {
  if (query.data) return children(query.data);
  if (query.isPending) return <RowSkeletons count={skeletons} label={`Loading ${what}`} />;
  return (
    <ErrorState
      title={`Failed to load ${what}`}
      description={reasonOf(query.error, 'There was no answer.')}
      onRetry={() => void query.refetch()}
    />
  );
}
