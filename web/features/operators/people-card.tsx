import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { OperatorsPerson, OperatorsText, PlainAction } from '#schema/contracts/operators.ts';
import { isDeletedPerson } from '#schema/rules/people/person-name.ts';
import type { CallDetail } from '#schema/contracts/calls.ts';
import { peopleQuery } from '#web/api/operators.queries.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { LazyFold } from '#web/ui/lists/fold.tsx';
import { Badge } from '#web/ui/people/badge.tsx';
import { CallEvidence } from '#web/lib/calls/call-evidence.tsx';
import { Actions, Facts, PaymentsLink, SearchedCard, type Fact, type SearchedCardProps } from './actions.tsx';
import { PersonTelegramFacts } from './person-telegram.tsx';

export function PeopleCard(props: SearchedCardProps) {
  return (
    <SearchedCard
      {...props}
      title="People"
      description="By handle, id, X id, wallet, or the id of a call"
      label="Find a person"
      query={useQuery(peopleQuery(props.search))}
      what="people"
      empty={{ title: 'Nobody found', description: 'Check the handle, id or address.' }}
    >
      {(people) => (
        <ul aria-label="People" className="mt-4 divide-y divide-line">
          {people.map((person) => (
            <PersonRow key={person.id} person={person} />
          ))}
        </ul>
      )}
    </SearchedCard>
  );
}

function PersonRow({ person }: { person: OperatorsPerson }) {
  const { id, handle, name, isCaller, isVerified, isSuspended, isHidden } = person;
  const isDeleted = isDeletedPerson({ twitterHandle: handle });
  return (
    <li className="py-4">
      <p className="mb-2 flex flex-wrap items-center gap-2 text-sm font-medium">
        {isCaller ? (
          <Link to="/caller/$username" params={{ username: id }} className="underline underline-offset-4">
            @{handle}
          </Link>
        ) : (
          `@${handle}`
        )}
        <bdi className="font-normal text-text-muted">{name}</bdi>
        {isVerified && <Badge tone="accent">Verified</Badge>}
        {isDeleted && <Badge>Deleted</Badge>}
        {isSuspended && !isDeleted && <Badge tone="warn">Suspended</Badge>}
        {isHidden && <Badge tone="loss">Hidden</Badge>}
        {!isCaller && <Badge>Not a caller</Badge>}
      </p>
      <Facts facts={factsOf(person)} />
      <div className="mt-3 space-y-3">
        <Actions
          actions={personActions(person).map((action) => ({ action, subjectId: id, about: `@${handle}` }))}
        >
          <PaymentsLink search={id} about={`@${handle}`}>
            Payments
          </PaymentsLink>
        </Actions>
        <LazyFold title="Telegram">
          <PersonTelegramFacts id={id} />
        </LazyFold>
      </div>
      {person.call && <CallFacts call={person.call} />}
      {person.texts.map((text) => (
        <TextRow key={`${text.kind} ${text.subjectId}`} text={text} handle={handle} />
      ))}
    </li>
  );
}

function personActions(person: OperatorsPerson): readonly PlainAction[] {
  const { handle, isCaller, isVerified, isSuspended, isHidden } = person;
  const hiding = isHidden ? 'show_caller' : 'hide_caller';
  if (isDeletedPerson({ twitterHandle: handle })) return isCaller ? [hiding] : [];
  const ofCaller = [
    isVerified ? 'unverify' : 'verify',
    isSuspended ? 'unsuspend' : 'suspend',
    hiding,
  ] as const;
  return [...(isCaller ? ofCaller : []), 'end_access', 'delete_account'];
}

function factsOf(person: OperatorsPerson): readonly Fact[] {
  const { id, xUserId, activeSessions, payoutAddress, payoutChanges } = person;
  return [
    ['Id', id],
    ['X id', xUserId],
    ['Sessions', activeSessions],
    ...(payoutAddress === null ? [] : [['Payout wallet', payoutAddress] as const]),
    ...payoutChanges.map(
      ({ at, from, to }) => [formatMinute(at), `Payout from ${from ?? 'none'} to ${to ?? 'none'}`] as const,
    ),
  ];
}

const TEXT_NAMES = { bio: 'Bio', thesis: 'Thesis', update: 'Update' } as const;

interface TextRowProps {
  text: OperatorsText;
  handle: string;
}

function TextRow({ text: { kind, subjectId, text, isHidden }, handle }: TextRowProps) {
  const action = isHidden ? 'show_text' : 'hide_text';
  const about = `${TEXT_NAMES[kind].toLowerCase()} of @${handle}`;
  return (
    <div className="mt-3 flex items-start justify-between gap-3 rounded-md border border-line p-3 text-sm">
      <p className="min-w-0 wrap-anywhere whitespace-pre-wrap">
        <span className="text-text-muted">
          {TEXT_NAMES[kind]}
          {isHidden && ' (hidden)'}:
        </span>{' '}
        <bdi>{text}</bdi>
      </p>
      <Actions actions={[{ action, kind, subjectId, about }]} />
    </div>
  );
}

/** Answers "My call ended at a wrong price": each source's quotes, and the public note. */
function CallFacts({ call }: { call: CallDetail }) {
  const { id, tokenSymbol, quotes, marks, note } = call;
  return (
    <section className="mt-3 space-y-3 rounded-md border border-line p-3 text-sm">
      <h3 className="font-medium">{`Call of ${tokenSymbol}`}</h3>
      <Facts facts={callFacts(call)} />
      <CallEvidence quotes={quotes} marks={marks} />
      {note !== null && <p className="whitespace-pre-wrap wrap-anywhere">{`Note: ${note.text}`}</p>}
      <Actions
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

function callFacts(call: CallDetail): readonly Fact[] {
  return [
    ['Id', call.id],
    ['Token', call.tokenMint],
    ['Entry', `$${call.entryPrice} at ${formatMinute(call.callTimestamp)}`],
    ['End', `$${call.endPrice ?? ''} at ${formatMinute(call.endTimestamp ?? '')}`],
    ['Ended by', call.automaticEnd ?? 'the caller'],
  ];
}
