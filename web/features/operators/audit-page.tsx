import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { OPERATOR_ACTIONS } from '#schema/constants/running.ts';
import type { AuditQuery } from '#schema/contracts/operators.ts';
import { ACTION_LABELS } from '#schema/rules/text/operator-actions.ts';
import { auditQuery } from '#web/api/operators.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { ShowMore } from '#web/lib/page/show-more.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { Rows } from './console-page.tsx';

export type AuditFilter = Omit<AuditQuery, 'cursor'>;

interface AuditPageProps {
  filter: AuditFilter;
  onFilter: (filter: AuditFilter) => void;
}

export function AuditPage({ filter, onFilter }: AuditPageProps) {
  const query = useInfiniteQuery(auditQuery(filter));
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight">Audit</h1>
      <FilterForm key={JSON.stringify(filter)} filter={filter} onFilter={onFilter} />
      <Card title="What operators did" description="Newest first, times in UTC" isFlush>
        <ListState
          query={query}
          what="the audit"
          empty={{
            title: 'No entries',
            description: 'Every action of an operator appears here with its reason.',
          }}
        >
          {(rows) => <Rows label="Audit" rows={rows} />}
        </ListState>
        <ShowMore query={query} failure="Couldn't load older actions. Try again." className="mt-6 pb-6">
          Show more
        </ShowMore>
      </Card>
    </>
  );
}

const ANY = { value: '', label: 'Any' } as const;
const ACTIONS = [ANY, ...OPERATOR_ACTIONS.map((value) => ({ value, label: ACTION_LABELS[value] }))];

function FilterForm({ filter, onFilter }: AuditPageProps) {
  const [typed, setTyped] = useState(filter);
  const text = (name: 'operator' | 'subject' | 'since') => ({
    value: typed[name] ?? '',
    onChange: (event: { target: { value: string } }) =>
      setTyped({ ...typed, [name]: event.target.value.trim() || undefined }),
  });
  return (
    <form
      className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[repeat(4,minmax(0,1fr))_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        onFilter(typed);
      }}
    >
      <Field label="Operator">
        <Input {...text('operator')} />
      </Field>
      <Field label="Person, payment or pause">
        <Input {...text('subject')} />
      </Field>
      <Field label="Action">
        <Select
          value={typed.action ?? ''}
          options={ACTIONS}
          onValueChange={(action) => setTyped({ ...typed, action: action === '' ? undefined : action })}
        />
      </Field>
      <Field label="Since (UTC)">
        <Input type="date" {...text('since')} />
      </Field>
      <Button type="submit">Filter</Button>
    </form>
  );
}
