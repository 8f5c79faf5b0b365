/** Legal texts of the operator, like the documents in `web/features/documents`. */
export const START_AT_ONCE = {
  request: 'Start my access at once. I know that my right of withdrawal ends with it.',
  record:
    'The subscriber asked that access begins at once, and acknowledged that the right of withdrawal ends with it.',
} as const;
