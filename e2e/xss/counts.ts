/** The fields in which payloads are entered. Each gets every payload. */
export const FIELDS = [
  'X name',
  'X handle',
  'X e-mail',
  'X picture URL',
  'token symbol',
  'token name',
  'token icon and links',
  'bio',
  'thesis',
  'target price',
  'stop price',
  'update message',
  'tweet',
  'monthly fee',
  'application fee',
  'Telegram username',
  'wallet address',
  'wallet name',
  'wallet icon',
  'token search',
  'directory search',
  'directory max fee',
  'directory parameters',
  'dashboard parameters',
  'returnTo',
  'callback parameters',
  'caller path',
  'call path',
  'receipt path',
  'unknown path, query and fragment',
  'Telegram start',
  'Telegram sender',
] as const;

export type Field = (typeof FIELDS)[number];

/** Counts the payloads that each field got. */
export function createCounts() {
  const entries = new Map<Field, { saved: number; refused: number }>(
    FIELDS.map((field) => [field, { saved: 0, refused: 0 }]),
  );
  const sum = (pick: (entry: { saved: number; refused: number }) => number) =>
    [...entries.values()].reduce((total, entry) => total + pick(entry), 0);
  return {
    /**
     * Counts a payload as kept or refused. It is refused if the form didn't take it, the browser changed it, or
     * the server returned 4xx.
     */
    enter(field: Field, isSaved: boolean): void {
      const entry = entries.get(field);
      if (entry) entry[isSaved ? 'saved' : 'refused'] += 1;
    },
    /** The fields that didn't get exactly this number of payloads. */
    incompleteFields: (payloads: number): Field[] =>
      FIELDS.filter((field) => {
        const { saved = 0, refused = 0 } = entries.get(field) ?? {};
        return saved + refused !== payloads;
      }),
    describe({ payloads, executed }: { payloads: number; executed: number }): string {
      return [
        `${payloads} payloads through ${FIELDS.length} fields: ${sum(({ saved }) => saved)} kept, ` +
          `${sum(({ refused }) => refused)} refused. ${executed} executed.`,
        ...FIELDS.map((field) => {
          const { saved = 0, refused = 0 } = entries.get(field) ?? {};
          return `  ${field.padEnd(34)}${String(saved).padStart(5)} kept${String(refused).padStart(6)} refused`;
        }),
      ].join('\n');
    },
  };
}

export type Counts = ReturnType<typeof createCounts>;
