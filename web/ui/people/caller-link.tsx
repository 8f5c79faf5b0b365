import { Link } from '@tanstack/react-router';
import { fullName, type HasName } from '#schema/rules/people/person-name.ts';
import { classNames } from '../class-names.ts';

export interface CallerLinkProps {
  caller: HasName & { readonly id: string };
  className?: string | undefined;
}

export function CallerLink({ caller, className }: CallerLinkProps) {
  return (
    <Link
      to="/caller/$username"
      params={{ username: caller.id }}
      dir="auto"
      className={classNames('min-w-0 truncate py-0.5 underline-offset-4 hover:underline', className)}
    >
      {fullName(caller)}
    </Link>
  );
}
