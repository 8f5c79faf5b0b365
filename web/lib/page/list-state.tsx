import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SKELETON_ROWS } from '#schema/constants/web.ts';
import { EmptyState, type EmptyStateProps } from '#web/ui/lists/empty-state.tsx';
import { RowSkeletons, type RowSkeletonsProps } from '#web/ui/lists/row-skeletons.tsx';
import { LoadFailed } from './load-failed.tsx';

export interface ListStateProps<Data> extends Pick<RowSkeletonsProps, 'rows'> {
  query: Pick<UseQueryResult<Data>, 'isPending' | 'data' | 'error' | 'refetch'>;
  /** The noun in "Loading …" and "Failed to load …", such as 'active calls'. */
  what: string;
  skeletons?: number;
  /** Shown while the data loads, instead of skeletons of rows. */
  loading?: ReactNode;
  empty?: EmptyStateProps;
  children: (data: Data) => ReactNode;
}

export function ListState<Data extends object>({
  query,
  what,
  skeletons = SKELETON_ROWS.activeCalls,
  rows,
  loading,
  empty,
  children,
}: ListStateProps<Data>) {
  const isEmpty = Array.isArray(query.data) && query.data.length === 0;
  if (isEmpty && empty !== undefined) return <EmptyState {...empty} />;
  if (query.data) return children(query.data);
  if (query.isPending && loading !== undefined) return loading;
  if (query.isPending) return <RowSkeletons count={skeletons} label={`Loading ${what}`} rows={rows} />;
  return <LoadFailed what={what} query={query} />;
}
