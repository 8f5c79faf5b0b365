CREATE TABLE `failed_deliveries` (
	`event_id` text PRIMARY KEY NOT NULL,
	`messages` integer NOT NULL,
	`error` text NOT NULL,
	`at` integer NOT NULL,
	`resolved_at` integer
);
--> statement-breakpoint
CREATE INDEX `failed_deliveries_open` ON `failed_deliveries` (`at`) WHERE resolved_at IS NULL;