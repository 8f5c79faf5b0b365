// openapi-typescript needs the programming interface of TypeScript 5, which TypeScript 7 doesn't have.
import { createRequire, registerHooks } from 'node:module';

const schemaGenerator = createRequire(import.meta.url).resolve('ts-json-schema-generator');

registerHooks({
  resolve: (name, context, next) =>
    next(name, name === 'typescript' ? { ...context, parentURL: `file://${schemaGenerator}` } : context),
});
