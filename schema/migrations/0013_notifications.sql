CREATE TABLE `call_events` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`call_id` text NOT NULL,
	`caller_id` text NOT NULL,
	`update_id` text,
	`at` integer NOT NULL,
	`queued_at` integer,
	`recipients` integer DEFAULT 0 NOT NULL,
	`delivered` integer DEFAULT 0 NOT NULL,
	`unreachable` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`update_id`) REFERENCES `call_updates`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "call_events_update" CHECK(("call_events"."kind" = 'call_update') = ("call_events"."update_id" IS NOT NULL))
);
--> statement-breakpoint
CREATE INDEX `call_events_caller` ON `call_events` (`caller_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `call_events_untold` ON `call_events` (`at`) WHERE queued_at IS NULL;--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`body` text NOT NULL,
	`reason` text NOT NULL,
	`attempts` integer NOT NULL,
	`at` integer NOT NULL,
	`resolved_at` integer
);
--> statement-breakpoint
CREATE INDEX `dead_letters_open` ON `dead_letters` (`at`) WHERE resolved_at IS NULL;--> statement-breakpoint
CREATE TABLE `notification_mutes` (
	`user_id` text NOT NULL,
	`caller_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `caller_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `notification_opt_outs` (
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	PRIMARY KEY(`user_id`, `kind`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `payment_notices` (
	`payment_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`queued_at` integer,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `payment_notices_untold` ON `payment_notices` (`at`) WHERE queued_at IS NULL;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `outcome` text;--> statement-breakpoint
UPDATE `deliveries` SET `outcome` = 'delivered' WHERE `delivered_at` IS NOT NULL;--> statement-breakpoint
ALTER TABLE `deliveries` DROP COLUMN `delivered_at`;--> statement-breakpoint
CREATE INDEX `deliveries_by_time` ON `deliveries` (`claimed_at`);
