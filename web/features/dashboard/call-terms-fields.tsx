import { useState, type RefObject } from 'react';
import { THESIS_MAX_LENGTH } from '#schema/constants.ts';
import { formatChange } from '#schema/rules/format.ts';
import { changePercent } from '#schema/rules/performance.ts';
import { readLevel } from '#schema/rules/price-levels.ts';
import { Field } from '#web/ui/field.tsx';
import { Fold } from '#web/ui/fold.tsx';
import { Input } from '#web/ui/input.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import type { CallTerms, TermField, TermProblems } from './call-terms.ts';

export interface CallTermsFieldsProps {
  /** The fold around the fields: who finds a problem in them opens it. */
  foldRef: RefObject<HTMLDetailsElement | null>;
  terms: CallTerms;
  onChange: (terms: CallTerms) => void;
  /** Against what targets and stops are measured: a decimal string in USD. */
  price: string;
  problems: TermProblems;
  /** Somebody tried to call: all problems are said, not only those of fields that were left. */
  isTried: boolean;
}

/** What a caller may say with a call. Folded: most calls go without. */
export function CallTermsFields({
  foldRef,
  terms,
  onChange,
  price,
  problems,
  isTried,
}: CallTermsFieldsProps) {
  const [left, setLeft] = useState<ReadonlySet<TermField>>(new Set());
  const length = terms.thesis.trim().length;
  const shownProblem = (field: TermField) => (isTried || left.has(field) ? problems[field] : undefined);
  const control = (field: TermField) => ({
    value: terms[field],
    onBlur: () => setLeft((before) => new Set([...before, field])),
    onChange: ({ target }: { target: { value: string } }) => {
      setLeft((before) => new Set([...before].filter((other) => other !== field)));
      onChange({ ...terms, [field]: target.value });
    },
  });
  return (
    <Fold
      foldRef={foldRef}
      title={
        <>
          Thesis, target, stop, paid promotion <span className="font-normal text-text-muted">(optional)</span>
        </>
      }
    >
      <div className="space-y-4">
        <p className="text-sm text-text-muted">
          All of it is fixed once the call is published: nobody can change or remove it, you neither.
        </p>
        <Field
          label="Thesis"
          hint={
            <span
              className={length > THESIS_MAX_LENGTH ? 'figures text-loss' : 'figures'}
            >{`${length}/${THESIS_MAX_LENGTH}`}</span>
          }
          error={length > THESIS_MAX_LENGTH ? problems.thesis : shownProblem('thesis')}
        >
          <Textarea dir="auto" rows={3} placeholder="Why this token, why now?" {...control('thesis')} />
        </Field>
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field
            label="Target price"
            hint={distance(terms.targetPrice, price) ?? 'Above the price now.'}
            error={shownProblem('targetPrice')}
          >
            <Input
              inputMode="decimal"
              autoComplete="off"
              className="font-mono"
              suffix="USD"
              {...control('targetPrice')}
            />
          </Field>
          <Field
            label="Stop price"
            hint={distance(terms.stopPrice, price) ?? 'Below the price now.'}
            error={shownProblem('stopPrice')}
          >
            <Input
              inputMode="decimal"
              autoComplete="off"
              className="font-mono"
              suffix="USD"
              {...control('stopPrice')}
            />
          </Field>
        </div>
        <div>
          <Switch
            label="Paid promotion"
            checked={terms.isPaidPromotion}
            onCheckedChange={(isPaidPromotion) => onChange({ ...terms, isPaidPromotion })}
          />
          <p className="text-xs text-text-muted">
            Switch it on when somebody pays you for this call. It is shown wherever the call is.
          </p>
        </div>
      </div>
    </Fold>
  );
}

/** '+20.0% from the price now'. */
function distance(text: string, price: string): string | null {
  const level = readLevel(text);
  return level === null ? null : `${formatChange(changePercent(price, level))} from the price now.`;
}
