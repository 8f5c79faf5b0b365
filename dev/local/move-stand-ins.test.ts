import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { moveStandIns } from './move-stand-ins.ts';

it('moveStandIns changes the port of image URLs and restores the trigger that protects calls', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'solcallers-'));
  mkdirSync(join(dataDir, 'state/v3/d1'), { recursive: true });
  const database = new DatabaseSync(join(dataDir, 'state/v3/d1/samples.sqlite'));
  database.exec(`
    CREATE TABLE users (profile_image_url text);
    CREATE TABLE calls (logo_uri text);
    INSERT INTO users VALUES (NULL), ('http://127.0.0.1:8788/x/pictures/1.png'), ('https://example.com/2.png');
    INSERT INTO calls VALUES ('http://127.0.0.1:8788/jupiter/icons/BONK.png');
    CREATE TRIGGER calls_update BEFORE UPDATE ON calls BEGIN SELECT RAISE(ABORT, 'published'); END;
  `);
  moveStandIns({ dataDir, standInsPort: 9000 });
  expect(database.prepare('SELECT profile_image_url AS url FROM users ORDER BY url').all()).toEqual([
    { url: null },
    { url: 'http://127.0.0.1:9000/x/pictures/1.png' },
    { url: 'https://example.com/2.png' },
  ]);
  expect(database.prepare('SELECT logo_uri AS url FROM calls').all()).toEqual([
    { url: 'http://127.0.0.1:9000/jupiter/icons/BONK.png' },
  ]);
  expect(() => database.exec("UPDATE calls SET logo_uri = ''")).toThrow('published');
  database.close();
  rmSync(dataDir, { recursive: true });
});
