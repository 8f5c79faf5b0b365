import type {
  OperatorActionResponse,
  OperatorsPage,
  OperatorsRow,
  OperatorsSection,
} from '#schema/contracts/operators.ts';
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

/** A page of the console, such as 'now' or 'person/{id}'. */
export const readConsole = (operator: Person, path: string) =>
  readResponse<OperatorsPage>(operator.get(`/api/operators/${path}`));

/** A section of a page of the console. */
export async function readSection(operator: Person, path: string, title: string): Promise<OperatorsSection> {
  const { sections } = await readConsole(operator, path);
  const found = sections.find((section) => section.title === title);
  if (!found) throw new Error(`${path} has no section ${title}`);
  return found;
}

/** The facts of a section with plain texts, by their names. */
export const factsOf = ({ facts }: OperatorsSection): Record<string, unknown> =>
  Object.fromEntries(facts.map(({ name, value }) => [name, value]));

export const searchConsole = (operator: Person, search: string) =>
  readResponse<OperatorsRow[]>(operator.get(`/api/operators/search?search=${encodeURIComponent(search)}`));
