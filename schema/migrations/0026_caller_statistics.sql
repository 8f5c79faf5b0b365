CREATE TABLE `caller_statistics` (
	`caller_id` text PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`calls` text NOT NULL,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
