export { countOf } from '#schema/rules/format.ts';
