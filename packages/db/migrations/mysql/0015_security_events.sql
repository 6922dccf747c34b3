CREATE TABLE `member_keys` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`key` mediumtext NOT NULL,
	`created_at_ms` bigint NOT NULL,
	CONSTRAINT `member_keys_id` PRIMARY KEY(`id`),
	CONSTRAINT `member_keys_member_id_unique` UNIQUE(`member_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `security_events` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`at_ms` bigint NOT NULL,
	`kind` varchar(64) NOT NULL,
	`outcome` varchar(8) NOT NULL,
	`address` varchar(64),
	`device` varchar(255),
	`actor_id` bigint,
	`times` int NOT NULL DEFAULT 1,
	`merge_key` varchar(160),
	CONSTRAINT `security_events_id` PRIMARY KEY(`id`),
	CONSTRAINT `security_events_merge_key_unique` UNIQUE(`merge_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
ALTER TABLE `audit_log` MODIFY COLUMN `address` varchar(255);
--> statement-breakpoint
ALTER TABLE `members` ADD `erases_at_ms` bigint;
--> statement-breakpoint
ALTER TABLE `members` ADD `erased_at_ms` bigint;
--> statement-breakpoint
ALTER TABLE `memberships` ADD `ended_with_member` boolean DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE INDEX `security_events_member_id_id_index` ON `security_events` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `security_events_at_ms_index` ON `security_events` (`at_ms`);
--> statement-breakpoint
CREATE INDEX `members_erases_at_ms_index` ON `members` (`erases_at_ms`);
