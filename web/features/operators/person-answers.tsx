import { useState } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { PersonPaymentsList } from './person-payments.tsx';
import { PersonTelegramFacts } from './person-telegram.tsx';

const ANSWERS = { Payments: PersonPaymentsList, Telegram: PersonTelegramFacts } as const;

/** Answers to what people ask us. Each is loaded when the operator opens it. */
export function PersonAnswers({ id, handle }: { id: string; handle: string }) {
  const [opened, setOpened] = useState<keyof typeof ANSWERS | null>(null);
  const Answer = opened && ANSWERS[opened];
  return (
    <div className="mt-3">
      <div className="flex flex-wrap gap-2">
        {(['Payments', 'Telegram'] as const).map((name) => (
          <Button
            key={name}
            size="sm"
            variant="ghost"
            aria-expanded={opened === name}
            aria-label={`${name} of @${handle}`}
            onClick={() => setOpened(opened === name ? null : name)}
          >
            {name}
          </Button>
        ))}
      </div>
      {Answer && <Answer id={id} />}
    </div>
  );
}
