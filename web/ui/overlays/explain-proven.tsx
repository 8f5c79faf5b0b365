import { Link } from '@tanstack/react-router';
import { PROVEN_HINT } from '#web/lib/calls/proven-text.ts';
import { Explain, type ExplainProps } from './explain.tsx';

export function ExplainProven(props: Pick<ExplainProps, 'isIconOnly' | 'className'>) {
  return (
    <Explain term="Proven" {...props}>
      <p>{PROVEN_HINT}</p>
      <p>
        <Link
          to="/how-we-count"
          hash="proven"
          className="text-text underline decoration-line-strong underline-offset-4 hover:decoration-current"
        >
          How we count
        </Link>
      </p>
    </Explain>
  );
}
