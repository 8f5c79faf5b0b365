import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { OperatorsPage, OperatorsRow, OperatorsSection } from '#schema/contracts/operators.ts';
import { utcMinute } from '#schema/rules/text/utc-minute.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { Fact } from '#web/ui/lists/facts.tsx';
import { Badge } from '#web/ui/people/badge.tsx';
import { ActionButtons } from './action-dialog.tsx';
import { ConsoleLink } from './console-link.tsx';

interface ConsolePageProps {
  query: UseQueryResult<OperatorsPage>;
  what: string;
  /** Beside the title of the first section. */
  aside?: ReactNode;
}

/** A person, a payment, a call, what we earned, or what is wrong now: a page of the console. */
export function ConsolePage({ query, what, aside }: ConsolePageProps) {
  return (
    <ListState query={query} what={what}>
      {({ title, badges, sections }) => (
        <>
          <h1 className="flex flex-wrap items-center gap-2 text-xl font-semibold tracking-tight wrap-anywhere">
            {title}
            {badges.map((badge) => (
              <Badge key={badge}>{badge}</Badge>
            ))}
          </h1>
          {sections.map((section, index) => (
            <Section key={section.title} section={section} aside={index === 0 && aside} />
          ))}
        </>
      )}
    </ListState>
  );
}

function Section({ section, aside }: { section: OperatorsSection; aside: ReactNode }) {
  const { title, facts, rows, none, actions, problems } = section;
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          {title}
          {problems > 0 && <Badge tone="warn">{problems}</Badge>}
        </span>
      }
      aside={aside}
      isFlush
    >
      {(facts.length > 0 || actions.length > 0) && (
        <div className="space-y-3 px-4 pt-4 pb-3">
          <Facts facts={facts} />
          {actions.length > 0 && (
            <div className="flex flex-wrap gap-2">
              <ActionButtons actions={actions} />
            </div>
          )}
        </div>
      )}
      {rows.length === 0 && none !== '' && <p className="px-4 py-3 text-sm text-text-muted">{none}</p>}
      {rows.length > 0 && <Rows label={title} rows={rows} />}
    </Card>
  );
}

function Facts({ facts }: Pick<OperatorsSection, 'facts'>) {
  if (facts.length === 0) return null;
  return (
    <dl className="grid gap-x-6 text-sm wrap-anywhere sm:grid-cols-[minmax(8rem,auto)_minmax(0,1fr)] sm:gap-y-1 [&>dd]:mb-1.5 sm:[&>dd]:mb-0 [&>dt]:text-text-muted">
      {facts.map(({ name, value }, index) => (
        <Fact
          key={index}
          name={name}
          value={typeof value === 'string' ? value : <ConsoleLink link={value} />}
        />
      ))}
    </dl>
  );
}

export function Rows({ label, rows }: { label: string; rows: readonly OperatorsRow[] }) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {rows.map(({ id, title, at, text, links, actions }) => (
        <li key={id} className="space-y-1.5 px-4 py-3 text-sm wrap-anywhere">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span className="min-w-0 font-medium">{title}</span>
            {at !== null && (
              <time dateTime={at} className="figures text-xs text-text-muted">
                {utcMinute(at)}
              </time>
            )}
          </p>
          {text !== '' && <p className="whitespace-pre-line text-text-muted">{text}</p>}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden">
            {links.map((link) => (
              <ConsoleLink key={`${link.to} ${link.id}`} link={link} />
            ))}
            <ActionButtons actions={actions} />
          </div>
        </li>
      ))}
    </ul>
  );
}
