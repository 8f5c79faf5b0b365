import { Link, linkOptions } from '@tanstack/react-router';
import type { OperatorsLink } from '#schema/contracts/operators.ts';

const className = 'link inline-block py-0.5';

export function ConsoleLink({ link }: { link: OperatorsLink }) {
  if (link.to !== 'explorer') {
    return (
      <Link {...targetOf(link.to, link.id)} className={className}>
        {link.text}
      </Link>
    );
  }
  return (
    <a href={link.id} target="_blank" rel="noopener noreferrer" className={className}>
      {link.text}
    </a>
  );
}

function targetOf(to: Exclude<OperatorsLink['to'], 'explorer'>, id: string) {
  if (to === 'audit') return linkOptions({ to: '/operators/audit', search: { subject: id } });
  if (to === 'profile') return linkOptions({ to: '/caller/$username', params: { username: id } });
  if (to === 'public_call') return linkOptions({ to: '/call/$id', params: { id } });
  return linkOptions({ to: '/operators/$kind/$id', params: { kind: to, id } });
}
