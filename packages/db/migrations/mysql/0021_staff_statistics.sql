CREATE TABLE `statistic_counters` (
	`account_id` bigint NOT NULL,
	`name` varchar(32) NOT NULL,
	`slot` int NOT NULL,
	`count` int NOT NULL,
	CONSTRAINT `statistic_counters_account_id_name_slot_pk` PRIMARY KEY(`account_id`,`name`,`slot`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `statistic_gauges` (
	`account_id` bigint NOT NULL,
	`name` varchar(32) NOT NULL,
	`count` int NOT NULL,
	`oldest_at_ms` bigint,
	`at_ms` bigint NOT NULL,
	CONSTRAINT `statistic_gauges_account_id_name_pk` PRIMARY KEY(`account_id`,`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `seen_members` (
	`member_id` bigint NOT NULL,
	`account_id` bigint NOT NULL,
	`slot` int NOT NULL,
	CONSTRAINT `seen_members_member_id_account_id_pk` PRIMARY KEY(`member_id`,`account_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `service_nodes` (
	`name` varchar(128) NOT NULL,
	`service` varchar(32) NOT NULL,
	`slowest_ms` int NOT NULL,
	`reported_at_ms` bigint NOT NULL,
	CONSTRAINT `service_nodes_name` PRIMARY KEY(`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
ALTER TABLE `members` ADD `is_counted` boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `is_counted` boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_log` ADD `account_id` bigint;
--> statement-breakpoint
ALTER TABLE `security_events` ADD `is_counted` boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `security_events` ADD `counted_times` int DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `statistic_counters_slot_index` ON `statistic_counters` (`slot`);
--> statement-breakpoint
CREATE INDEX `service_nodes_reported_at_ms_index` ON `service_nodes` (`reported_at_ms`);
--> statement-breakpoint
CREATE INDEX `members_personnel_ended_at_ms_id_index` ON `members` (`personnel_ended_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `members_is_counted_id_index` ON `members` (`is_counted`,`id`);
--> statement-breakpoint
CREATE INDEX `sessions_is_counted_id_index` ON `sessions` (`is_counted`,`id`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_member_id_id_index` ON `mail_outbox` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_state_id_index` ON `mail_outbox` (`state`,`id`);
--> statement-breakpoint
CREATE INDEX `webhook_log_account_id_id_index` ON `webhook_log` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `security_events_is_counted_id_index` ON `security_events` (`is_counted`,`id`);
--> statement-breakpoint
CREATE INDEX `login_failures_failures_index` ON `login_failures` (`failures`);
