CREATE TABLE `login_failures` (
	`holder` text NOT NULL,
	`origin` text NOT NULL,
	`wait_until_ms` integer NOT NULL,
	`failures` integer NOT NULL,
	`last_failure_at_ms` integer NOT NULL,
	PRIMARY KEY(`holder`, `origin`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `login_failures_last_failure_at_ms_index` ON `login_failures` (`last_failure_at_ms`);
