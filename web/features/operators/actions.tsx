import { Link } from '@tanstack/react-router';
import { createContext, use, useState, type ReactNode } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { formatMinute } from '#web/lib/text/dates.ts';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { ListState, type ListStateProps } from '#web/lib/page/list-state.tsx';
import { Card, type CardProps } from '#web/ui/lists/card.tsx';
import { Fact as FactOf } from '#web/ui/lists/facts.tsx';
import { ACTION_LABELS, type PlannedAction } from './action-labels.ts';

/** Opens the dialog that asks for an action's reason. */
export const PlanContext = createContext<(action: PlannedAction) => void>(() => undefined);

interface ActionsProps {
  actions?: readonly PlannedAction[] | undefined;
  children?: ReactNode;
}

export function Actions({ actions = [], children }: ActionsProps) {
  const onPlan = use(PlanContext);
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {actions.map((planned) => (
        <Button
          key={planned.action}
          size="sm"
          aria-label={`${ACTION_LABELS[planned.action]}: ${planned.about}`}
          onClick={() => onPlan(planned)}
        >
          {ACTION_LABELS[planned.action]}
        </Button>
      ))}
      {children}
    </div>
  );
}

export type Fact = readonly [name: string, value: string | number];

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-xs wrap-anywhere [&>dt]:text-text-muted">
      {facts.map(([name, value]) => (
        <FactOf key={`${name} ${value}`} name={name} value={value} />
      ))}
    </dl>
  );
}

interface RowProps extends ActionsProps {
  title: ReactNode;
  at?: string | undefined;
  text?: string;
  /** The signature that finds the history of a payment. */
  payment?: string | undefined;
}

export function Row({ title, at, text, actions, payment, children }: RowProps) {
  return (
    <li className="space-y-2 py-3 text-sm wrap-anywhere">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="min-w-0 font-medium">{title}</span>
        {at !== undefined && (
          <time dateTime={at} className="text-xs text-text-muted">
            {formatMinute(at)}
          </time>
        )}
      </p>
      {text !== undefined && <p className="text-xs whitespace-pre-line text-text-muted">{text}</p>}
      {children}
      <Actions actions={actions}>
        {payment !== undefined && (
          <PaymentsLink search={payment} about={payment}>
            History
          </PaymentsLink>
        )}
      </Actions>
    </li>
  );
}

interface PaymentsLinkProps {
  search: string;
  about: string;
  children: string;
}

/** Shows the payments that the search finds. */
export function PaymentsLink({ search, about, children }: PaymentsLinkProps) {
  return (
    <Link
      to="/operators"
      search={(shown) => ({ ...shown, payment: search })}
      className={buttonClassName({ variant: 'ghost', size: 'sm' })}
      aria-label={`${children} of ${about}`}
    >
      {children}
    </Link>
  );
}

const MAX_LENGTH = 100;

export interface SearchedCardProps {
  search: string;
  onSearch: (search: string) => void;
}

interface FoundProps<Data>
  extends SearchedCardProps, Pick<CardProps, 'title' | 'description'>, ListStateProps<Data> {
  label: string;
}

/** A card with a search, and below it what the search found. */
export function SearchedCard<Data extends object>(props: FoundProps<Data>) {
  const { title, description, label, search, onSearch, ...found } = props;
  return (
    <Card title={title} description={description}>
      <SearchForm key={search} label={label} search={search} onSearch={onSearch} />
      {search !== '' && <ListState skeletons={1} {...found} />}
    </Card>
  );
}

function SearchForm({ label, search, onSearch }: SearchedCardProps & { label: string }) {
  const [typed, setTyped] = useState(search);
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <Field label={label} className="flex-1">
        <Input
          type="search"
          value={typed}
          maxLength={MAX_LENGTH}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <Button type="submit">Find</Button>
    </form>
  );
}
