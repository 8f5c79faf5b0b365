/// <reference types="vite/types/importMeta.d.ts" />

// Loads every table, so that deletion, export and backup include tables that no other module has loaded yet.
import.meta.glob('../../schema/tables/*.ts', { eager: true });
