/// <reference types="vite/types/importMeta.d.ts" />

// Deletion, export and backup have every table, also one that no other module has loaded yet.
import.meta.glob('../../schema/tables/*.ts', { eager: true });
