// Builds the migration of schema/tables: npm run migrations
import { migrationsFolder } from './migrations.ts';

migrationsFolder();
