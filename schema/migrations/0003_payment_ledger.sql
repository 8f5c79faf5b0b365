CREATE TABLE `payout_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`caller_id` text NOT NULL,
	`old_address` text,
	`new_address` text,
	`at` integer NOT NULL,
	`queued_at` integer,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `payout_changes_caller` ON `payout_changes` (`caller_id`,`at`);--> statement-breakpoint
CREATE INDEX `payout_changes_untold` ON `payout_changes` (`at`) WHERE queued_at IS NULL;--> statement-breakpoint
CREATE TABLE `renewal_notices` (
	`subscriber_id` text NOT NULL,
	`caller_id` text NOT NULL,
	`ends_at` integer NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`subscriber_id`, `caller_id`, `ends_at`, `kind`),
	FOREIGN KEY (`subscriber_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `ledger_checks` (
	`day` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`scanned_until` text,
	`problem_count` integer,
	`problems` text
);
--> statement-breakpoint
CREATE TABLE `payment_ledger` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`payment_id` text NOT NULL,
	`kind` text NOT NULL,
	`slot` integer,
	`starts_at` integer,
	`ends_at` integer,
	`at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_ledger_period" CHECK(("payment_ledger"."kind" IN ('granted', 'moved')) = ("payment_ledger"."starts_at" IS NOT NULL) AND ("payment_ledger"."starts_at" IS NULL) = ("payment_ledger"."ends_at" IS NULL)),
	CONSTRAINT "payment_ledger_forward" CHECK("payment_ledger"."ends_at" IS NULL OR "payment_ledger"."ends_at" > "payment_ledger"."starts_at"),
	CONSTRAINT "payment_ledger_slot" CHECK(("payment_ledger"."kind" IN ('granted', 'settled')) = ("payment_ledger"."slot" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_ledger_id` ON `payment_ledger` (`id`);--> statement-breakpoint
CREATE INDEX `payment_ledger_payment` ON `payment_ledger` (`payment_id`,`seq`);--> statement-breakpoint
CREATE TABLE `payment_orphans` (
	`signature` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`intent_id` text,
	`user_id` text,
	`payer_address` text NOT NULL,
	`caller_lamports` integer,
	`platform_lamports` integer NOT NULL,
	`slot` integer NOT NULL,
	`paid_at` integer NOT NULL,
	`found_at` integer NOT NULL,
	`resolved_at` integer,
	`note` text,
	FOREIGN KEY (`intent_id`) REFERENCES `payment_intents`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `payment_orphans_open` ON `payment_orphans` (`found_at`) WHERE resolved_at IS NULL;--> statement-breakpoint
DROP INDEX `subscriptions_one_start`;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `settled_at` integer;--> statement-breakpoint
CREATE INDEX `subscriptions_pair` ON `subscriptions` (`subscriber_id`,`caller_id`,`starts_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_unsettled` ON `subscriptions` (`created_at`,`id`) WHERE payment_id IS NOT NULL AND settled_at IS NULL;--> statement-breakpoint
ALTER TABLE `payment_broadcasts` ADD `last_valid_block_height` integer;--> statement-breakpoint
ALTER TABLE `payment_broadcasts` ADD `dead_at` integer;--> statement-breakpoint
ALTER TABLE `payment_broadcasts` ADD `landed_at` integer;--> statement-breakpoint
CREATE INDEX `payment_broadcasts_open` ON `payment_broadcasts` (`created_at`,`signature`) WHERE dead_at IS NULL AND landed_at IS NULL;