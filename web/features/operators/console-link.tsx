import { Link } from '@tanstack/react-router';
import type { OperatorsLink } from '#schema/contracts/operators.ts';

const className = 'link inline-block py-0.5';

export function ConsoleLink({ link: { to, id, text } }: { link: OperatorsLink }) {
  if (to === 'explorer') {
    return (
      <a href={id} target="_blank" rel="noopener noreferrer" className={className}>
        {text}
      </a>
    );
  }
  if (to === 'audit') {
    return (
      <Link to="/operators/audit" search={{ subject: id }} className={className}>
        {text}
      </Link>
    );
  }
  if (to === 'profile') {
    return (
      <Link to="/caller/$username" params={{ username: id }} className={className}>
        {text}
      </Link>
    );
  }
  return (
    <Link to="/operators/$kind/$id" params={{ kind: to, id }} className={className}>
      {text}
    </Link>
  );
}
