CREATE TABLE `call_updates` (
	`id` text PRIMARY KEY NOT NULL,
	`call_id` text NOT NULL,
	`message` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`event_id` text NOT NULL,
	`chat_id` text NOT NULL,
	`claimed_at` integer NOT NULL,
	`delivered_at` integer,
	PRIMARY KEY(`event_id`, `chat_id`)
);
--> statement-breakpoint
ALTER TABLE `telegram_links` ADD `start_nonce_expires_at` integer;