import { PROVEN_HINT } from '#web/lib/calls/proven-text.ts';
import { HowWeCount } from '../figures/how-we-count.tsx';
import { Explain, type ExplainProps } from './explain.tsx';

export function ExplainProven(props: Pick<ExplainProps, 'isIconOnly' | 'className'>) {
  return (
    <Explain term="Proven" {...props}>
      <p>{PROVEN_HINT}</p>
      <p>
        <HowWeCount hash="proven" className="text-text" />
      </p>
    </Explain>
  );
}
