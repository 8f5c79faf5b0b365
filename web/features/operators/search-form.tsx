import { useState } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';

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
