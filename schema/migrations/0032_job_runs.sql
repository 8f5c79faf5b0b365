CREATE TABLE `job_runs` (
	`job` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`failing_since` integer,
	`error` text
);
