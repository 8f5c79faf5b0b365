ALTER TABLE `callers` ADD `handle_key` text;--> statement-breakpoint
ALTER TABLE `callers` ADD `handle_since` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `callers` ADD `name_key` text;--> statement-breakpoint
ALTER TABLE `callers` ADD `name_since` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- The keys of personKey. A name with other characters than these stays NULL until the next sign-in.
UPDATE callers SET
  handle_since = created_at,
  name_since = created_at,
  handle_key = (
    SELECT iif(twitter_handle GLOB 'user-*', '', lower(REPLACE(twitter_handle, '_', '')))
    FROM users
    WHERE id = caller_id),
  name_key = (
    SELECT iif(first_name || last_name GLOB '*[^A-Za-z0-9 ]*', NULL, lower(REPLACE(first_name || last_name, ' ', '')))
    FROM users
    WHERE id = caller_id);--> statement-breakpoint
UPDATE callers SET
  handle_key = REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(handle_key, '0', 'o'), '1', 'l'), '2', 'z'), '3', 'e'), '4', 'a'), '5', 's'), '8', 'b'), 'vv', 'w'), 'i', 'l'), 'rn', 'm'),
  name_key = REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(name_key, '0', 'o'), '1', 'l'), '2', 'z'), '3', 'e'), '4', 'a'), '5', 's'), '8', 'b'), 'vv', 'w'), 'i', 'l'), 'rn', 'm');--> statement-breakpoint
CREATE INDEX `callers_by_handle_key` ON `callers` (`handle_key`,`handle_since`);--> statement-breakpoint
CREATE INDEX `callers_by_name_key` ON `callers` (`name_key`,`name_since`);