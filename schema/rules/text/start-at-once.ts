/** Legal texts of the operator, like the documents in `web/features/documents`. */
export const START_AT_ONCE = {
  request: 'Start my access at once. I know that my right of withdrawal ends with it.',
  record: 'Access begins at once, as asked before paying. The right of withdrawal ended with it.',
} as const;
