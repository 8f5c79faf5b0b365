import type { CallDetail } from '#schema/contracts/calls.ts';
import { CallEvidence } from '#web/lib/calls/call-evidence.tsx';
import { formatMinute } from '#web/lib/text/dates.ts';
import type { Plan } from './action-labels.ts';
import { Actions } from './actions.tsx';
import { type Fact, Facts } from './facts.tsx';

/** Answers "My call ended at a wrong price": each source's quotes, and the public note. */
export function CallFacts({ call, onPlan }: { call: CallDetail; onPlan: Plan }) {
  const { id, tokenSymbol, quotes, marks, note } = call;
  return (
    <section className="mt-3 space-y-3 rounded-md border border-line p-3 text-sm">
      <h3 className="font-medium">{`Call of ${tokenSymbol}`}</h3>
      <Facts facts={factsOf(call)} />
      <CallEvidence quotes={quotes} marks={marks} />
      {note !== null && <p className="whitespace-pre-wrap wrap-anywhere">{`Note: ${note.text}`}</p>}
      <Actions
        onPlan={onPlan}
        actions={[
          {
            action: note === null ? 'add_note' : 'remove_note',
            subjectId: id,
            about: `call of ${tokenSymbol}`,
          },
        ]}
      />
    </section>
  );
}

function factsOf(call: CallDetail): readonly Fact[] {
  return [
    ['Id', call.id],
    ['Token', call.tokenMint],
    ['Entry', `$${call.entryPrice} at ${formatMinute(call.callTimestamp)}`],
    ['End', `$${call.endPrice ?? ''} at ${formatMinute(call.endTimestamp ?? '')}`],
    ['Ended by', call.automaticEnd ?? 'the caller'],
  ];
}
