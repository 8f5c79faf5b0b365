/**
 * The import rules (docs/ARCHITECTURE.md), as overrides for oxlint. Each pattern has an example of an import that it must
 * refuse; `import-rules.test.ts` plants them all.
 *
 * oxlint applies only the last override that matches a file, so the areas don't overlap. Its regular expressions have no
 * look-around: it ignores a pattern with one without a message. For "only these", use `only`.
 */
export interface ImportArea {
  readonly files: readonly string[];
  readonly except?: readonly string[];
  readonly rules: readonly ImportRule[];
}

export interface ImportRule {
  readonly message: string;
  readonly typesAreFine?: true;
  /** Regular expressions of refused imports, each with an example. */
  readonly forbid?: Readonly<Record<string, string>>;
  /** If present: the only imports that are accepted (globs), and examples of others. */
  readonly only?: OnlyThese;
}

interface OnlyThese {
  /** The imports that the rule is about (a glob). Default: all imports. */
  readonly within?: string;
  readonly accepts: readonly string[];
  readonly refuses: readonly string[];
}

export const TESTS = ['**/*.test.ts', '**/*.test.tsx', '**/*.test-model.ts'];

export const noTables: ImportRule = {
  message: "Tables are the worker's.",
  forbid: { '(^|/)tables/': '#schema/tables/calls.ts', '^drizzle': 'drizzle-orm' },
};

export const CONSTANTS = '#schema/constants/**';
export const RULES = '#schema/rules/**';
export const CONTRACTS = '#schema/contracts/**';
