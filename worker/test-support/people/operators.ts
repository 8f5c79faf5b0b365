import type { OperatorActionResponse } from '#schema/contracts/operators.ts';
import type { TestEnv } from '../test-env.ts';
import { readResponse } from '../responses.ts';
import { query } from '../database/database.ts';
import { createTestApp, type Person, type TestApp } from '../test-app.ts';

/** Reads the operators' audit log, oldest first. */
export const readAudit = () =>
  query<{
    action: string;
    subject_id: string;
    reason: string;
    kind: string | null;
    operator_x_id: string;
  }>('SELECT action, subject_id, reason, kind, operator_x_id FROM operator_audit ORDER BY seq');

/** Creates the app with one signed-in operator. */
export async function createOperatedApp(
  bindings: Partial<TestEnv> = {},
): Promise<{ app: TestApp; operator: Person; operatorXId: string }> {
  const first = await createTestApp();
  const person = await first.signIn('operator');
  const [row] = await query<{ x_user_id: string }>('SELECT x_user_id FROM users WHERE id = ?', person.id);
  const operatorXId = row?.x_user_id ?? '';
  const app = await createTestApp({
    bindings: { ...bindings, OPERATOR_X_IDS: operatorXId, OPERATORS_TOKEN },
  });
  return { app, operator: app.browser(person), operatorXId };
}

export const OPERATORS_TOKEN = 'a token of the operators, long enough';

export const act = (operator: Person, action: object) =>
  readResponse<OperatorActionResponse>(
    operator.post('/api/operators/actions', { reason: 'For a test.', ...action }),
  );
