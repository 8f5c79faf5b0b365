import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { MAX_COMPARED_CALLERS, SEARCH_MAX_LENGTH } from '#schema/constants.ts';
import { fullName, profileSlug } from '#schema/rules/people/person-name.ts';
import { callersQuery } from '#web/api/callers.queries.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { useTypedValue } from '#web/ui/controls/use-typed-value.ts';
import { callersOf } from './compare-search.ts';

/** Adds a caller by handle. The directory's search suggests handles while the user types. */
export function AddCaller({ names, onAdd }: { names: readonly string[]; onAdd: (name: string) => void }) {
  const listId = useId();
  const [typed, setTyped] = useState('');
  const { text, setText } = useTypedValue({ value: typed, onValueChange: setTyped, read: nameIn });
  const [isRefused, setIsRefused] = useState(false);
  const { data } = useInfiniteQuery({ ...callersQuery({ search: typed }), enabled: typed !== '' });
  const add = (event: FormEvent) => {
    event.preventDefault();
    const name = nameIn(text);
    const named = data?.pages[0]?.rows.find(
      (caller) => fullName(caller).toLowerCase() === name.toLowerCase(),
    );
    const [handle, ...others] = callersOf({ callers: named ? profileSlug(named) : name });
    const isOne = handle !== undefined && others.length === 0;
    setIsRefused(!isOne);
    if (!isOne) return;
    onAdd(handle);
    setText('');
  };
  if (names.length >= MAX_COMPARED_CALLERS) {
    return <p className="mt-4 text-sm">Five callers at most. Remove one to add another.</p>;
  }
  return (
    <form onSubmit={add} className="mt-4 flex items-end gap-2">
      <Field label="Add a caller" error={isRefused && 'Enter one handle, such as @amara_calls.'}>
        <Input
          list={listId}
          placeholder="@handle"
          value={text}
          maxLength={SEARCH_MAX_LENGTH}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setIsRefused(false);
            setText(event.target.value);
          }}
        />
      </Field>
      <datalist id={listId}>
        {data?.pages[0]?.rows.map((caller) => (
          <option key={caller.id} value={profileSlug(caller)}>
            {fullName(caller)}
          </option>
        ))}
      </datalist>
      <Button type="submit">Add</Button>
    </form>
  );
}

const nameIn = (text: string) => text.trim().replace(/^@/, '');
