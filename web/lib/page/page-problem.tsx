import { EmptyState, type EmptyStateProps } from '#web/ui/lists/empty-state.tsx';
import { LoadFailed, type LoadFailedProps } from './load-failed.tsx';

export function MissingPage(props: EmptyStateProps) {
  return (
    <div className="desk py-16">
      <h1 className="sr-only">{props.title}</h1>
      <EmptyState {...props} />
    </div>
  );
}

/** A page that didn't load. The title is for screen readers. */
export function FailedPage({ title, ...failed }: LoadFailedProps & { title: string }) {
  return (
    <div className="desk py-16">
      <h1 className="sr-only">{title}</h1>
      <LoadFailed {...failed} />
    </div>
  );
}
