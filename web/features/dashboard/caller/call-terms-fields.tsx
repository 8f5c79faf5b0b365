import { useState, type RefObject } from 'react';
import { MIN_LEVEL_PERCENT, THESIS_MAX_LENGTH } from '#schema/constants/market.ts';
import { formatChange } from '#schema/rules/text/format.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { readLevel } from '#schema/rules/calls/price-levels.ts';
import { CharacterCount } from '#web/ui/controls/character-count.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Fold } from '#web/ui/lists/fold.tsx';
import { Input, type InputProps } from '#web/ui/controls/input.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import { Textarea } from '#web/ui/controls/textarea.tsx';
import { hasTerms, type CallTerms, type TermField, type TermProblems } from './call-terms.ts';

export interface CallTermsFieldsProps {
  foldRef: RefObject<HTMLDetailsElement | null>;
  terms: CallTerms;
  onChange: (terms: CallTerms) => void;
  price: string;
  problems: TermProblems;
  /** After submitting, every field shows its problem, even if the field never had the focus. */
  isSubmitted: boolean;
}

/** The optional details of a call. They are folded, because most calls have none. */
export function CallTermsFields(props: CallTermsFieldsProps) {
  const { foldRef, terms, onChange, price } = props;
  const { control, problemOf } = useTermControls(props);
  return (
    <Fold
      foldRef={foldRef}
      isInitiallyOpen={hasTerms(terms)}
      title={
        <>
          Thesis, target, stop, paid promotion <span className="font-normal text-text-muted">(optional)</span>
        </>
      }
    >
      <div className="space-y-4">
        <p className="text-sm text-text-muted">
          These details are fixed once the call is published. Nobody can change or remove them, not even you.
        </p>
        <Field
          label="Thesis"
          hint={<CharacterCount length={terms.thesis.trim().length} max={THESIS_MAX_LENGTH} />}
          error={problemOf('thesis')}
        >
          <Textarea dir="auto" rows={3} placeholder="Why this token, why now?" {...control('thesis')} />
        </Field>
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field
            label="Target price"
            hint={
              distance(terms.targetPrice, price) ?? `At least ${MIN_LEVEL_PERCENT}% above the current price.`
            }
            error={problemOf('targetPrice')}
          >
            <PriceInput {...control('targetPrice')} />
          </Field>
          <Field
            label="Stop price"
            hint={
              distance(terms.stopPrice, price) ?? `At least ${MIN_LEVEL_PERCENT}% below the current price.`
            }
            error={problemOf('stopPrice')}
          >
            <PriceInput {...control('stopPrice')} />
          </Field>
        </div>
        <div>
          <Switch
            label="Paid promotion"
            checked={terms.isPaidPromotion}
            onCheckedChange={(isPaidPromotion) => onChange({ ...terms, isPaidPromotion })}
          />
          <p className="text-xs text-text-muted">
            Turn this on if someone pays you for this call. It's shown wherever the call appears.
          </p>
        </div>
      </div>
    </Fold>
  );
}

function useTermControls({ terms, onChange, problems, isSubmitted }: CallTermsFieldsProps) {
  const [blurred, setBlurred] = useState<ReadonlySet<TermField>>(new Set());
  const isThesisTooLong = terms.thesis.trim().length > THESIS_MAX_LENGTH;
  const control = (field: TermField) => ({
    value: terms[field],
    onBlur: () => setBlurred((before) => new Set([...before, field])),
    onChange: ({ target }: { target: { value: string } }) => {
      setBlurred((before) => new Set([...before].filter((other) => other !== field)));
      onChange({ ...terms, [field]: target.value });
    },
  });
  const problemOf = (field: TermField) => {
    const isShown = isSubmitted || blurred.has(field) || (field === 'thesis' && isThesisTooLong);
    return isShown ? problems[field] : undefined;
  };
  return { control, problemOf };
}

function PriceInput(props: InputProps) {
  return <Input inputMode="decimal" className="font-mono" suffix="USD" {...props} />;
}

function distance(text: string, price: string): string | null {
  const level = readLevel(text);
  return level === null ? null : `${formatChange(changePercent(price, level))} from the current price.`;
}
