CREATE TABLE `login_failures` (
	`holder` varchar(80) NOT NULL,
	`origin` varchar(64) NOT NULL,
	`wait_until_ms` bigint NOT NULL,
	`failures` int NOT NULL,
	`last_failure_at_ms` bigint NOT NULL,
	CONSTRAINT `login_failures_holder_origin_pk` PRIMARY KEY(`holder`,`origin`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE INDEX `login_failures_last_failure_at_ms_index` ON `login_failures` (`last_failure_at_ms`);
