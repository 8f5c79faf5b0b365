import { useState } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { PersonPaymentsList } from './person-payments.tsx';

interface PersonAnswersProps {
  id: string;
  handle: string;
}

/** Answers to what people ask us. Each is loaded when the operator opens it. */
export function PersonAnswers({ id, handle }: PersonAnswersProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="mt-3">
      <Button
        size="sm"
        variant="ghost"
        aria-expanded={isOpen}
        aria-label={`Payments of @${handle}`}
        onClick={() => setIsOpen(!isOpen)}
      >
        Payments
      </Button>
      {isOpen && <PersonPaymentsList id={id} />}
    </div>
  );
}
