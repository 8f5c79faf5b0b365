CREATE TABLE `job_leases` (
	`job` text PRIMARY KEY NOT NULL,
	`holder` text,
	`expires_at` integer DEFAULT 0 NOT NULL,
	`cursor` text
);
--> statement-breakpoint
CREATE TABLE `price_closes` (
	`mint` text NOT NULL,
	`at` integer NOT NULL,
	`price` text NOT NULL,
	PRIMARY KEY(`mint`, `at`)
);
--> statement-breakpoint
CREATE INDEX `price_closes_by_time` ON `price_closes` (`at`);--> statement-breakpoint
CREATE TABLE `price_shards` (
	`shard` integer PRIMARY KEY NOT NULL,
	`refreshed_at` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `callers_by_win_rate`;--> statement-breakpoint
ALTER TABLE `callers` DROP COLUMN `win_rate`;--> statement-breakpoint
ALTER TABLE `callers` ADD `win_rate` real DEFAULT -1 NOT NULL;--> statement-breakpoint
UPDATE `callers` SET `win_rate` = COALESCE((SELECT 100.0 * SUM(change_percent > 0) / COUNT(ended_at) FROM calls WHERE calls.caller_id = callers.caller_id AND ended_at IS NOT NULL), -1);--> statement-breakpoint
CREATE INDEX `callers_by_win_rate` ON `callers` (`win_rate`,`caller_id`);--> statement-breakpoint
ALTER TABLE `callers` ADD `proven_rate` real DEFAULT -1 NOT NULL;--> statement-breakpoint
CREATE INDEX `callers_by_proven_rate` ON `callers` (`proven_rate`,`caller_id`);--> statement-breakpoint
ALTER TABLE `calls` ADD `thesis` text;--> statement-breakpoint
ALTER TABLE `calls` ADD `target_price` text;--> statement-breakpoint
ALTER TABLE `calls` ADD `stop_price` text;--> statement-breakpoint
ALTER TABLE `calls` ADD `is_paid_promotion` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `calls` ADD `unranked_reason` text;--> statement-breakpoint
ALTER TABLE `calls` ADD `peak_price` text;--> statement-breakpoint
ALTER TABLE `calls` ADD `peak_at` integer;
