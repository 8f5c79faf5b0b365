import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { formatMinute } from '#web/lib/text/dates.ts';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { ACTION_LABELS, type Plan, type PlannedAction } from './action-labels.ts';

export function Actions({ actions, onPlan }: { actions: readonly PlannedAction[]; onPlan: Plan }) {
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
    </div>
  );
}

export type Fact = readonly [name: string, value: string | number];

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-xs wrap-anywhere">
      {facts.map(([name, value]) => (
        <div key={`${name} ${value}`} className="contents [&>dt]:text-text-muted">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface RowProps {
  title: ReactNode;
  at?: string;
  children?: ReactNode;
}

export function Row({ title, at, children }: RowProps) {
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
      {children}
    </li>
  );
}

export function HistoryLink({ payment }: { payment: string }) {
  return (
    <Link
      to="/operators"
      search={(shown) => ({ ...shown, payment })}
      className={buttonClassName({ variant: 'ghost', size: 'sm' })}
      aria-label={`History of ${payment}`}
    >
      History
    </Link>
  );
}

const MAX_LENGTH = 100;

interface SearchFormProps {
  label: string;
  search: string;
  onSearch: (search: string) => void;
}

export function SearchForm({ label, search, onSearch }: SearchFormProps) {
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
