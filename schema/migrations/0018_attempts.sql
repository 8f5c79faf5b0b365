CREATE TABLE `attempts` (
	`action` text NOT NULL,
	`person` text NOT NULL,
	`full_at` integer NOT NULL,
	PRIMARY KEY(`action`, `person`)
);
--> statement-breakpoint
CREATE INDEX `attempts_by_time` ON `attempts` (`full_at`);